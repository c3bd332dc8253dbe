package dev.parley.channels.chat;

import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A form that a person fills in. What a channel checks of it spares the person a round; the answer is checked again where
 * it goes.
 *
 * @param title of one line
 * @param text above the fields
 * @param send label of the button that sends it
 * @param fields in order, at least one
 */
public record ChatForm(String title, String text, String send, List<Field> fields) {
    public ChatForm {
        fields = List.copyOf(fields);
    }

    /**
     * A field.
     *
     * @param name under which its values are returned
     * @param hint explanation; may be empty
     * @param choices of {@link Kind#CHOICE} and {@link Kind#CHOICES}; empty for other kinds
     * @param initial values that it has at first; may be empty
     */
    public record Field(
            String name,
            String label,
            String hint,
            Kind kind,
            List<Option> choices,
            boolean required,
            List<String> initial,
            Bounds bounds) {
        public Field {
            choices = List.copyOf(choices);
            initial = List.copyOf(initial);
        }
    }

    /** What a field takes. Values are texts: numbers in decimal notation, a date as {@code yyyy-mm-dd}. */
    public enum Kind {
        TEXT,
        /** A text of several lines. */
        PARAGRAPH,
        INTEGER,
        NUMBER,
        DATE,
        /** The value is {@code true} or {@code false}. */
        YES_NO,
        /** One of the choices. */
        CHOICE,
        /** Any of the choices. */
        CHOICES
    }

    /** A choice: the value that is returned, and what people read. */
    public record Option(String value, String label) {}

    /**
     * The limits of a number, of the length of a text in characters, or of the number of choices; null for none.
     *
     * @param least inclusive
     * @param most inclusive
     */
    public record Bounds(
            @Nullable BigDecimal least, @Nullable BigDecimal most) {
        /** No limits. */
        public static final Bounds NONE = new Bounds(null, null);
    }
}
