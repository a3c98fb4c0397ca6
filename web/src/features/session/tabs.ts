/** What the tabs of a browser tell each other about their common session. */
export type News = "signed-in" | "signed-out";

const channel = new BroadcastChannel("carrel.session");

/** The other tabs; a tab does not hear itself. */
export function tellTabs(news: News): void {
  channel.postMessage(news);
}

export function listenToTabs(listener: (news: News) => void): void {
  channel.onmessage = ({ data }: MessageEvent<News>) => listener(data);
}
