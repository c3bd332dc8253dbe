package dev.parley.channels.telegram.markup;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Writes a part of a text as Telegram's HTML. Every element that is open at its ends is opened and closed there. */
final class HtmlWriter {
    private static final int LONG_QUOTE = 800;
    private static final int LONG_QUOTE_LINES = 10;

    private final StyledText styled;
    private final int end;
    private final StringBuilder html = new StringBuilder();
    private final Deque<Element> open = new ArrayDeque<>();

    private HtmlWriter(StyledText styled, int end) {
        this.styled = styled;
        this.end = end;
    }

    static String html(StyledText styled, int start, int end) {
        return new HtmlWriter(styled, end).write(start);
    }

    private String write(int start) {
        for (int at = styled.run(start); at < styled.runs().size(); at++) {
            StyledText.Run run = styled.runs().get(at);
            if (run.start() >= end) {
                break;
            }
            int from = Math.max(start, run.start());
            close(run.element());
            open(run.element(), from);
            escape(styled.text(), from, Math.min(end, run.end()), html);
        }
        close(null);
        return html.toString();
    }

    private void close(@Nullable Element place) {
        while (!open.isEmpty() && !Element.holds(open.peek(), place)) {
            html.append(open.pop().end());
        }
    }

    private void open(@Nullable Element element, int from) {
        if (element != null && element != open.peek()) {
            open(element.outer, from);
            open.push(element);
            html.append(element.start(element.kind == Element.Kind.QUOTE && isLong(element, from)));
        }
    }

    private boolean isLong(Element quote, int from) {
        int to = from;
        for (int at = styled.run(from); at < styled.runs().size(); at++) {
            StyledText.Run run = styled.runs().get(at);
            if (run.start() >= end || !Element.holds(quote, run.element())) {
                break;
            }
            to = Math.min(end, run.end());
        }
        String text = styled.text().substring(from, to);
        return text.length() > LONG_QUOTE
                || text.chars().filter(unit -> unit == '\n').count() >= LONG_QUOTE_LINES;
    }

    static String escaped(String text) {
        var out = new StringBuilder(text.length());
        escape(text, 0, text.length(), out);
        return out.toString();
    }

    private static void escape(String text, int start, int end, StringBuilder out) {
        for (int at = start; at < end; at++) {
            char unit = text.charAt(at);
            switch (unit) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                default -> out.append(unit);
            }
        }
    }

    /** The bytes of one UTF-16 unit in HTML, escaped. */
    static int bytes(char unit) {
        return switch (unit) {
            case '&' -> 5;
            case '<', '>' -> 4;
            case '"' -> 6;
            default -> unit < 0x80 ? 1 : unit < 0x800 || Character.isSurrogate(unit) ? 2 : 3;
        };
    }

    static int bytes(String html) {
        return html.getBytes(StandardCharsets.UTF_8).length;
    }
}
