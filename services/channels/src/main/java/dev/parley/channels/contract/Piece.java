package dev.parley.channels.contract;

/** One message of the channel, ready to be shown. */
public sealed interface Piece {

    /**
     * A text.
     *
     * @param markup in the channel's own markup, or empty where there is none
     * @param plain the same without, for the case that the markup is refused
     */
    record Words(String markup, String plain) implements Piece {
        /** A text without markup. */
        public static Words plain(String text) {
            return new Words("", text);
        }
    }

    /** A file. */
    record Document(String name, String mimeType, byte[] bytes, Words caption) implements Piece {}
}
