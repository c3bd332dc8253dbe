package dev.parley.channels.chat.markup;

import org.jspecify.annotations.Nullable;

/** How a platform writes styled text, and how much of it a message takes. */
public interface Dialect {
    /** UTF-16 units of visible text that a message takes. */
    int mostText();

    /** Elements, and what the platform finds in a text by itself, that a message takes. */
    int mostElements();

    /** The size of a message in its markup, in whatever {@code size} counts. */
    int mostSize();

    /** The size of one UTF-16 unit of visible text, as {@link #escaped} writes it, at most. */
    int size(char unit);

    /** The size of the marks around a piece of text, at most. */
    int size(Element element);

    /** What begins an element. @param inside the visible text of it that this message has */
    String start(Element element, String inside);

    /** What ends an element. */
    String end(Element element);

    /** Visible text so that nothing in it is markup. @param place the element that it is in, or null */
    String escaped(String text, @Nullable Element place);
}
