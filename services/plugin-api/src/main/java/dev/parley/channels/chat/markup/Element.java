package dev.parley.channels.chat.markup;

import org.jspecify.annotations.Nullable;

/** A nested element around a piece of text, compared by identity. */
public final class Element {
    /** Kinds of elements. The first three can only be nested in a quote. */
    public enum Kind {
        QUOTE,
        PRE,
        CODE,
        LINK,
        BOLD,
        ITALIC,
        STRIKE
    }

    private final @Nullable Element outer;
    private final Kind kind;
    private final String argument;

    private Element(@Nullable Element outer, Kind kind, String argument) {
        this.outer = outer;
        this.kind = kind;
        this.argument = argument;
    }

    /** A new element here; the enclosing one where the kind would change nothing. */
    static @Nullable Element within(@Nullable Element enclosing, Kind kind, String argument) {
        return switch (kind) {
            case QUOTE -> of(enclosing, Kind.QUOTE) == null ? new Element(null, kind, argument) : enclosing;
            case PRE -> new Element(of(enclosing, Kind.QUOTE), kind, argument);
            case CODE ->
                of(enclosing, Kind.LINK) == null ? new Element(of(enclosing, Kind.QUOTE), kind, argument) : enclosing;
            case LINK, BOLD, ITALIC, STRIKE ->
                of(enclosing, kind) == null ? new Element(enclosing, kind, argument) : enclosing;
        };
    }

    /** The enclosing element of this kind, or null. */
    public static @Nullable Element of(@Nullable Element innermost, Kind kind) {
        Element element = innermost;
        while (element != null && element.kind != kind) {
            element = element.outer;
        }
        return element;
    }

    /** Whether an element is within another, or is it. */
    public static boolean holds(Element element, @Nullable Element inner) {
        return of(inner, element.kind) == element;
    }

    /** The enclosing element, or null. */
    public @Nullable Element outer() {
        return outer;
    }

    public Kind kind() {
        return kind;
    }

    /** The URL of a link or the language of code; otherwise empty. */
    public String argument() {
        return argument;
    }
}
