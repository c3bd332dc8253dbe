package dev.parley.channels.chat.markup;

import org.jspecify.annotations.Nullable;

/** An element around a piece of text, within others. Two of the same kind are two: identity counts. */
public final class Element {
    /** Kinds of elements. What is in one of the first three can be in nothing else but a quote. */
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

    /** A new element in this place; the place itself where one of this kind would change nothing. */
    static @Nullable Element within(@Nullable Element place, Kind kind, String argument) {
        return switch (kind) {
            case QUOTE -> of(place, Kind.QUOTE) == null ? new Element(null, kind, argument) : place;
            case PRE -> new Element(of(place, Kind.QUOTE), kind, argument);
            case CODE -> of(place, Kind.LINK) == null ? new Element(of(place, Kind.QUOTE), kind, argument) : place;
            case LINK, BOLD, ITALIC, STRIKE -> of(place, kind) == null ? new Element(place, kind, argument) : place;
        };
    }

    /** The element of this kind that the place is in. */
    public static @Nullable Element of(@Nullable Element place, Kind kind) {
        Element element = place;
        while (element != null && element.kind != kind) {
            element = element.outer;
        }
        return element;
    }

    /** Whether the place is in this element. */
    public static boolean holds(Element element, @Nullable Element place) {
        return of(place, element.kind) == element;
    }

    /** What it is in, or null. */
    public @Nullable Element outer() {
        return outer;
    }

    public Kind kind() {
        return kind;
    }

    /** The address of a link, the language of code; empty where there is none. */
    public String argument() {
        return argument;
    }
}
