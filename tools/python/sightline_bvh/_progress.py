"""Progress: functions of (phase, fraction), and bars as tqdm makes them."""

from ._errors import InvalidArgument


class _Bar:
    """Makes a bar's updates of fractions."""

    def __init__(self, bar, count, own):
        self.bar = bar
        self.count = count
        self.own = own
        self.done = 0
        if getattr(bar, "total", count) is None:
            bar.total = count

    def __call__(self, phase, fraction):
        done = int(fraction * self.count)
        if done > self.done:
            self.bar.update(done - self.done)
            self.done = done

    def end(self):
        self(None, 1.0)
        self.close()

    def close(self):
        if self.own:
            self.bar.close()


def run(progress, count, call):
    """Calls call(report), where report is a function of (phase, fraction), or None.

    count is how many items a bar counts; work that has no items counts thousandths.
    """
    if progress is None:
        return call(None)
    own = progress is True
    if own:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            raise InvalidArgument("progress=True wants tqdm, which is not installed") from None
        progress = tqdm(total=count)
    if hasattr(progress, "update"):
        bar = _Bar(progress, count, own)
        try:
            answer = call(bar)
            bar.end()
        except BaseException:
            bar.close()
            raise
        return answer
    if not callable(progress):
        raise InvalidArgument(f"progress is a function, a bar or True, not {progress!r}")
    return call(progress)
