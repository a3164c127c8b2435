#include "report/page_parts.hpp"

namespace shrimp::report {

// Blue and orange are Okabe and Ito's, which people tell apart whatever colours they see; the dark page has lighter
// ones.
const char* const page_style = R"css(
:root{color-scheme:light dark;--paper:#fff;--card:#fff;--ink:#1c2126;--soft:#5a646e;--line:#8b95a0;--grid:#e3e7eb;
--curve:#0072b2;--warm:#c75300;--cool:#0072b2;--focus:#b3005e}
@media screen and (prefers-color-scheme:dark){:root{--paper:#12161a;--card:#181d22;--ink:#e7eaee;--soft:#a3adb8;
--line:#7b8794;--grid:#2b333b;--curve:#5bb8ee;--warm:#ff9142;--cool:#45a5e6;--focus:#ff79c6}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:70rem;padding:1.5rem 1.2rem 4rem;background:var(--paper);color:var(--ink);
font:16px/1.5 system-ui,"DejaVu Sans",Verdana,sans-serif}
h1{font-size:1.75rem;line-height:1.25;margin:.4rem 0 .2rem;overflow-wrap:anywhere}
h2{font-size:1.3rem;margin:2.6rem 0 .4rem;padding-top:.5rem;border-top:1px solid var(--grid)}
h3{font-size:1rem;margin:1.4rem 0 .3rem}
p{margin:.4rem 0;max-width:46rem}
.soft,figcaption span,td.soft{color:var(--soft)}
nav{font-size:.9rem;margin:.8rem 0}nav a{margin-right:.9rem;white-space:nowrap}
a{color:var(--curve)}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
.facts{display:flex;flex-wrap:wrap;gap:.8rem;margin:1rem 0}
.fact{border:1px solid var(--grid);border-radius:.5rem;background:var(--card);padding:.6rem 1rem;min-width:11rem;flex:1 1 11rem}
.fact b{display:block;font-size:1.5rem;line-height:1.3}.fact span{color:var(--soft);font-size:.9rem}
.scroll{overflow-x:auto}
table{border-collapse:collapse;margin:.6rem 0;font-variant-numeric:tabular-nums;font-size:.92em}
th,td{text-align:right;padding:.22rem .7rem;border-bottom:1px solid var(--grid);vertical-align:top}
th{white-space:nowrap;font-weight:600;color:var(--soft)}
td{white-space:nowrap}td.text{white-space:normal;overflow-wrap:anywhere;min-width:6rem}
td.text,th.text,td.words,th.words{text-align:left}
.terms,.errors{width:100%}.terms td:first-child{min-width:9rem;max-width:22rem}.errors td.text{min-width:9rem}
td.bars{width:38%;min-width:8rem;padding-top:.5rem}
.bar{position:relative;height:.85rem}
.bar i{position:absolute;left:0;top:0;height:100%;background:var(--curve);border-radius:0 .15rem .15rem 0;min-width:1px}
.bar i.plain{background:var(--line)}
.bar u{position:absolute;top:50%;height:0;border-top:2px solid var(--ink);min-width:1px}
.charts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(19rem,100%),1fr));gap:1rem;margin:.8rem 0}
.charts.two{grid-template-columns:repeat(auto-fill,minmax(min(27rem,100%),1fr))}.charts.one{grid-template-columns:minmax(0,36rem)}
figure{margin:0;padding:.5rem .6rem .2rem;border:1px solid var(--grid);border-radius:.5rem;background:var(--card);min-width:0}
figcaption{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 .8rem;font-size:.95rem;line-height:1.3}
figcaption b{overflow-wrap:anywhere;flex:1 1 7rem}figcaption span{font-size:.85rem}
svg{display:block;width:100%;height:auto;touch-action:pan-y;cursor:crosshair}
.map svg path{shape-rendering:crispEdges}
.mark{visibility:hidden;fill:none;stroke:var(--ink);stroke-width:1.6}
.chosen .mark{visibility:visible}
output{display:block;min-height:1.35rem;font-size:.85rem;line-height:1.35rem;color:var(--ink);
font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
details{margin:.6rem 0}summary{cursor:pointer;color:var(--curve);width:fit-content}
pre{background:var(--card);border:1px solid var(--grid);border-radius:.4rem;padding:.6rem .8rem;overflow-x:auto;font-size:.87rem}
code,pre{font-family:ui-monospace,"DejaVu Sans Mono",monospace}
.note{border-left:4px solid var(--warm);padding:.1rem 0 .1rem .8rem}
footer{margin-top:3rem;color:var(--soft);font-size:.85rem}
@media print{@page{margin:14mm}body{font-size:10.5pt;max-width:none;padding:0}nav,.hint,output{display:none}
h2{margin-top:1.4rem;break-after:avoid}figure,tr,.facts,pre{break-inside:avoid}
.charts,.charts.two{grid-template-columns:repeat(2,1fr);gap:.5rem}figure{padding:.3rem .35rem}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}a{color:inherit;text-decoration:none}}
)css";

}  // namespace shrimp::report
