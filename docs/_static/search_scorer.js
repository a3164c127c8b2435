// Scores of search results: guides come before benchmarks, the changelog and C++ headers. Other values are Sphinx's defaults.
var Scorer = {
  score: ([docName, , , , score]) => {
    if (docName.startsWith("getting-started/") || docName.startsWith("how-to/")) return score + 8;
    if (docName.startsWith("about/") || docName.startsWith("reference/cpp")) return score - 10;
    return score;
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
