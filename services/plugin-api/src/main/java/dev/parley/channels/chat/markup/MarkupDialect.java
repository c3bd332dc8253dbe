package dev.parley.channels.chat.markup;

import org.jspecify.annotations.Nullable;

/** Markup of a platform, and its limits per message. */
public interface MarkupDialect {
    /**
     * Limits of one message.
     *
     * @param text maximum visible text in UTF-16 units
     * @param elements maximum number of elements, including those that the platform detects
     * @param size maximum size in markup, in the unit of {@code size}
     */
    record Limits(int text, int elements, int size) {}

    /** The limits of one message. */
    Limits limits();

    /** Characters in a line of code on a phone: wider tables are written row by row. */
    default int columns() {
        return 60;
    }

    /** Maximum size of one UTF-16 unit, as {@link #escape} writes it. */
    int size(char unit);

    /** Maximum size of the marks of an element; those of the joints included. */
    default int size(Element element) {
        return start(element, "").length()
                + end(element).length()
                + 2 * joint(element).length();
    }

    /**
     * The start mark of an element.
     *
     * @param inside its visible text in this message
     */
    String start(Element element, String inside);

    /** The end mark of an element. */
    String end(Element element);

    /**
     * The end mark of an element, where it depends on what the element holds.
     *
     * @param inside its visible text in this message
     */
    default String end(Element element, String inside) {
        return end(element);
    }

    /** What separates the marks of an element from a letter beside them; empty where nothing is needed. */
    default String joint(Element element) {
        return "";
    }

    /**
     * Visible text without markup.
     *
     * @param element the enclosing element, or null
     */
    String escape(String text, @Nullable Element element);
}
