package dev.parley.channels.contract;

/** How a channel shows an answer that still grows. */
public enum Growth {
    /** Not at all: only a typing indicator is shown. */
    NONE,
    /** By its message: an opening message is sent, grows, and is edited into the whole answer. */
    MESSAGE,
    /** By a preview that is no message of the chat: the answer is sent when it is complete. */
    PREVIEW
}
