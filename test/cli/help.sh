# Every text that explains something.
run --version
run --help
run info --help
run cast --help
run los --help
run
run fly
run help fly
run help los | sed -n '1,3p'
