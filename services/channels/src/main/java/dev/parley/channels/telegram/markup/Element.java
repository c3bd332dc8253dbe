package dev.parley.channels.telegram.markup;

import org.jspecify.annotations.Nullable;

/** An element of Telegram's HTML around a piece of text, within others. Two of the same kind are two: identity counts. */
final class Element {
    /** Kinds of elements. What is in one of the first three can be in nothing else but a quote. */
    enum Kind {
        QUOTE("<blockquote>", "</blockquote>"),
        PRE("<pre>", "</pre>"),
        CODE("<code>", "</code>"),
        LINK("<a>", "</a>"),
        BOLD("<b>", "</b>"),
        ITALIC("<i>", "</i>"),
        STRIKE("<s>", "</s>");

        private final String start;
        private final String end;

        Kind(String start, String end) {
            this.start = start;
            this.end = end;
        }
    }

    final @Nullable Element outer;
    final Kind kind;
    /** The address of a link, the language of code; empty where there is none. */
    final String argument;

    final int depth;

    private Element(@Nullable Element outer, Kind kind, String argument) {
        this.outer = outer;
        this.kind = kind;
        this.argument = argument;
        this.depth = outer == null ? 1 : outer.depth + 1;
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
    static @Nullable Element of(@Nullable Element place, Kind kind) {
        Element element = place;
        while (element != null && element.kind != kind) {
            element = element.outer;
        }
        return element;
    }

    /** Whether the place is in this element. */
    static boolean holds(Element element, @Nullable Element place) {
        return of(place, element.kind) == element;
    }

    /** The start tag. @param folded whether a quote is too long to be shown at once */
    String start(boolean folded) {
        return switch (kind) {
            case QUOTE -> folded ? "<blockquote expandable>" : kind.start;
            case PRE -> argument.isEmpty() ? kind.start : "<pre><code class=\"language-" + argument + "\">";
            case LINK -> "<a href=\"" + HtmlWriter.escaped(argument) + "\">";
            case CODE, BOLD, ITALIC, STRIKE -> kind.start;
        };
    }

    String end() {
        return kind == Kind.PRE && !argument.isEmpty() ? "</code></pre>" : kind.end;
    }

    /** The bytes of its tags, at most. */
    int bytes() {
        return HtmlWriter.bytes(start(true)) + end().length();
    }
}
