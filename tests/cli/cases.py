"""Models and their files that many tests of a module look at, each made when it is first asked for."""


class RunsOfTheProgram:
    """A folder, and runs of the program that must succeed."""

    def __init__(self, shrimp, folder):
        self.shrimp, self.folder = shrimp, folder

    def run(self, *arguments):
        run = self.shrimp(*arguments)
        assert run.returncode == 0, run.stderr
        return run


def made_once(make, shrimp, tmp_path_factory):
    """case(name): what make(shrimp, folder, name) made the first time."""
    made = {}

    def case(name):
        if name not in made:
            made[name] = make(shrimp, tmp_path_factory.mktemp(name.replace(" ", "_")), name)
        return made[name]

    return case
