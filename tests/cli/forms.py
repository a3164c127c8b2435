"""A model whose inputs and target have forms, made by editing the file of a fit to the forms themselves."""

import json

import numpy as np

from functions import write_csv


def ranks(x):
    """Mid-ranks in (0, 1): the mass below a value and half of that at it."""
    values, counts = np.unique(x, return_counts=True)
    return values, (np.cumsum(counts) - counts / 2) / len(x)


def make_rows(seed):
    """Rows of y = exp(1 + log(-x1) + sin(3 r) + r s), r and s the ranks of x2 and x3, and an idle input."""
    random = np.random.default_rng(seed)
    return np.column_stack([-np.exp(random.normal(size=200)), random.standard_t(2, 200), random.integers(0, 6, 200), random.random(200)])


class Forms:
    """The training rows, the same in their forms, and how other rows are brought to these."""

    def __init__(self):
        self.X = make_rows(1)
        self.knots = [ranks(self.X[:, j]) for j in (1, 2)]
        Z = self.entered(self.X)
        self.y = np.exp(1 + Z[:, 0] + np.sin(3 * Z[:, 1]) + 4 * Z[:, 1] * Z[:, 2])

    def entered(self, X):
        return np.column_stack([np.log(-X[:, 0]), *(np.interp(X[:, j], *self.knots[j - 1]) for j in (1, 2)), X[:, 3]])

    def left(self, j, z):
        """Values of input j in its own units, ascending."""
        return [sorted(-np.exp(z)), np.interp(z, *self.knots[0][::-1]), np.interp(z, *self.knots[1][::-1]), z][j]

    def make_files(self, fit_model, folder):
        """The model of the forms as they are, and the one with forms."""
        write_csv(folder / "train.csv", self.entered(self.X), np.log(self.y))
        plain = fit_model(folder / "train.csv", folder / "plain.json", "--method", "auto", "--exclude", "x4")
        model = json.loads(plain.read_text())
        scaling = model["scaling"]
        limits = [self.left(j, np.array([scaling["input_lowest"][j], scaling["input_highest"][j]])) for j in range(4)]
        scaling["input_lowest"] = [float(low) for low, _ in limits]
        scaling["input_highest"] = [float(high) for _, high in limits]
        rank = [{"type": "rank", "values": list(v), "ranks": list(r)} for v, r in self.knots]
        scaling["input_transforms"] = [{"type": "log", "negative": True}, *rank, {"type": "none"}]
        scaling.update(target_transform="log", target_correction=1.1)
        for name in {"target_lowest", "target_highest"} & scaling.keys():
            scaling[name] = 1.1 * float(np.exp(scaling[name]))
        for j, marginal in enumerate(model["marginals"]):
            marginal["values"] = list(self.left(j, np.array(marginal["values"])))
            if j == 0 and "masses" in marginal:
                marginal["masses"].reverse()
        model["format_version"] = 6
        formed = folder / "forms.json"
        formed.write_text(json.dumps(model))
        return plain, formed
