// Browsers start no worker from a file, so where pages are read without a server the search runs in a frame.
if (location.protocol === 'file:') {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement('iframe');
      frame.hidden = true;
      document.body.append(frame);
      this.inside = frame.contentWindow;
      this.inside.postMessage = (data) => this.dispatchEvent(new MessageEvent('message', { data }));
      const script = this.inside.document.createElement('script');
      this.started = new Promise((resolve) => script.addEventListener('load', resolve));
      script.src = url;
      this.inside.document.body.append(script);
    }

    postMessage(data) {
      this.started.then(() => this.inside.dispatchEvent(new MessageEvent('message', { data })));
    }
  };
}
