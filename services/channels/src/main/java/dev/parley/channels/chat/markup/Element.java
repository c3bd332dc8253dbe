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
    static @Nullable Element within(@Nullable Element place, Kind kind, String argument) {
        return switch (kind) {
            case QUOTE -> of(place, Kind.QUOTE) == null ? new Element(null, kind, argument) : place;
            case PRE -> new Element(of(place, Kind.QUOTE), kind, argument);
            case CODE -> of(place, Kind.LINK) == null ? new Element(of(place, Kind.QUOTE), kind, argument) : place;
            case LINK, BOLD, ITALIC, STRIKE -> of(place, kind) == null ? new Element(place, kind, argument) : place;
        };
    }

    /** The enclosing element of this kind, or null. */
    public static @Nullable Element of(@Nullable Element place, Kind kind) {
        Element element = place;
        while (element != null && element.kind != kind) {
            element = element.outer;
        }
        return element;
    }

    /** Whether the place is within this element. */
    public static boolean holds(Element element, @Nullable Element place) {
        return of(place, element.kind) == element;
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
