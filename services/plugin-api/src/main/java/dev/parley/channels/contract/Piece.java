package dev.parley.channels.contract;

import dev.parley.domain.protocol.Choice;
import java.util.List;

/** One message of the channel, ready to be sent. */
public sealed interface Piece {

    /**
     * A text message.
     *
     * @param markup in the channel's own markup, or empty if there is none
     * @param plain the same text without markup, the fallback if the markup is rejected
     * @param choices buttons below the text
     * @param rated whether it ends an answer of an agent, about which a channel with thumbs asks for an opinion
     */
    record Words(String markup, String plain, List<Choice> choices, boolean rated) implements Piece {
        public Words {
            choices = List.copyOf(choices);
        }

        /** A text about which no opinion is asked for. */
        public Words(String markup, String plain, List<Choice> choices) {
            this(markup, plain, choices, false);
        }

        /** A text with markup and without choices. */
        public Words(String markup, String plain) {
            this(markup, plain, List.of());
        }

        /** A text without markup. */
        public static Words plain(String text) {
            return new Words("", text);
        }

        /** This text with the given choices. */
        public Words with(List<Choice> choices) {
            return new Words(markup, plain, choices, rated);
        }

        /** This text as the end of an answer. */
        public Words asRated() {
            return new Words(markup, plain, choices, true);
        }
    }

    /** A file with a caption. */
    record Document(String name, String mimeType, byte[] bytes, Words caption) implements Piece {}
}
