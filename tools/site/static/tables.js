// The theme puts wide tables into boxes that scroll; the keyboard reaches those that do.
for (const event of ['load', 'resize']) {
  window.addEventListener(event, () => {
    for (const box of document.querySelectorAll('.md-typeset__scrollwrap')) box.tabIndex = box.scrollWidth > box.clientWidth ? 0 : -1;
  });
}
