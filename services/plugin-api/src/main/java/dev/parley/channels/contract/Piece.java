package dev.parley.channels.contract;

import dev.parley.domain.protocol.Choice;
import java.util.List;

/** One message of the channel, ready to be shown. */
public sealed interface Piece {

    /**
     * A text.
     *
     * @param markup in the channel's own markup, or empty where there is none
     * @param plain the same without, for the case that the markup is refused
     * @param choices what can be chosen below it
     */
    record Words(String markup, String plain, List<Choice> choices) implements Piece {
        public Words {
            choices = List.copyOf(choices);
        }

        /** A text with markup. */
        public Words(String markup, String plain) {
            this(markup, plain, List.of());
        }

        /** A text without markup. */
        public static Words plain(String text) {
            return new Words("", text);
        }

        /** The same text with these choices. */
        public Words with(List<Choice> choices) {
            return new Words(markup, plain, choices);
        }
    }

    /** A file. */
    record Document(String name, String mimeType, byte[] bytes, Words caption) implements Piece {}
}
