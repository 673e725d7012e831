# plot.gp: draws what sightline bench --csv wrote.
#
#     gnuplot -e "csv='all.csv'" docs/benchmarks/plot.gp
#
# ratio.svg   each row's ratio to the peer in every scene, and their geometric means
# rate.svg    million a second in every scene, ours and the peer's
# growth.svg  the same over the number of triangles, of the tori that --grow measures
#
# -e "csv='all.csv'; folder='pictures'" writes them elsewhere.  What the file has no rows for is not
# drawn.
if (!exists("csv")) csv = "bench.csv"
if (!exists("folder")) folder = "."
set datafile separator comma
set datafile missing NaN
set terminal svg size 1000,520 font "sans-serif,13" background "white"
set grid ytics
set key outside top center horizontal
set logscale y

sets = "primary primary256 primary64 ortho diffuse diffshuf diffany ao random losbox lossurf loslocal "
sets = sets."losfan ptnear ptbox lattice"
rows = sets." closest1 any1 buildcold build1 build2 bytes peak"
growing = "primary diffshuf random losbox"

# 0: not there.
place(names, name) = (sum [i = 1:words(names)] (word(names, i) eq name ? i : 0))
x(names, step) = (place(names, strcol("row")) > 0 ? place(names, strcol("row")) + step : NaN)

# A cell that may be empty; and of a torus.
cell(name) = (strlen(strcol(name)) > 0 ? column(name) : NaN)
grown(name, row) = (strcol("scene") eq "torus" && strcol("row") eq row ? cell(name) : NaN)

# What there is, and the means over scenes of each row.
array logs[words(rows)]
array scenes[words(rows)]
do for [i = 1:words(rows)] { logs[i] = 0; scenes[i] = 0 }
add(i, ratio) = (i > 0 && ratio > 0 \
                 ? (logs[i] = logs[i] + log(ratio), scenes[i] = scenes[i] + 1) : 0)
mean(i) = (scenes[i] > 0 ? exp(logs[i] / scenes[i]) : NaN)
peers = 0
tori = 0
count(peer) = (peers = peers + (peer > 0), tori = tori + (strcol("scene") eq "torus"), 0)
stats csv using (count(cell("ratio"))) nooutput
stats csv using (add(int(place(rows, strcol("row"))), cell("ratio"))) nooutput

if (peers > 0) {
    set xrange [0.5:words(rows) + 0.5]
    set xtics rotate by 45 right
    set for [i = 1:words(rows)] xtics add (word(rows, i) i)
    set ylabel "ratio, above 1 in our favour"
    set output folder."/ratio.svg"
    plot 1 with lines linecolor "gray" notitle, \
         csv using (x(rows, -0.1)):(cell("ratio")) \
             with points pointtype 7 pointsize 0.5 title "a scene", \
         csv using (x(rows, 0.1)):(cell("robust_ratio")) \
             with points pointtype 6 pointsize 0.5 title "against robust trees", \
         logs using 1:(mean($1)) \
             with points pointtype 2 pointsize 1.5 linewidth 2 title "geometric mean"
}

unset xtics
set xtics rotate by 45 right
set xrange [0.5:words(sets) + 0.5]
set for [i = 1:words(sets)] xtics add (word(sets, i) i)
set ylabel "million a second, one thread"
set output folder."/rate.svg"
plot csv using (x(sets, -0.1)):(cell("ours")) \
         with points pointtype 7 pointsize 0.6 title "ours", \
     for [i = 1:(peers > 0)] csv using (x(sets, 0.1)):(cell("peer")) \
         with points pointtype 6 pointsize 0.6 title "peer"

if (tori > 0) {
    unset xtics
    set xtics
    set autoscale x
    set logscale x
    set xlabel "triangles"
    set output folder."/growth.svg"
    plot for [row in growing] csv using (column("triangles")):(grown("ours", row)) \
             with linespoints linecolor place(growing, row) pointtype 7 title row, \
         for [row in (peers > 0 ? growing : "")] \
             csv using (column("triangles")):(grown("peer", row)) \
             with linespoints linecolor place(growing, row) pointtype 6 title row.", peer"
}
