package dev.parley.channels.chat.markup;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Writes a range of a text in a platform's markup. Elements that are open at its ends are opened and closed there. */
final class MarkupWriter {
    private final StyledText styled;
    private final MarkupDialect dialect;
    private final int end;
    private final StringBuilder markup = new StringBuilder();
    private final Deque<Opened> open = new ArrayDeque<>();

    private record Opened(Element element, String inside) {}

    private MarkupWriter(StyledText styled, MarkupDialect dialect, int end) {
        this.styled = styled;
        this.dialect = dialect;
        this.end = end;
    }

    static String write(StyledText styled, MarkupDialect dialect, int start, int end) {
        return new MarkupWriter(styled, dialect, end).write(start);
    }

    private String write(int start) {
        for (int i = styled.run(start); i < styled.runs().size(); i++) {
            StyledText.Run run = styled.runs().get(i);
            if (run.start() >= end) {
                break;
            }
            int from = Math.max(start, run.start());
            close(run.element(), from);
            open(run.element(), from);
            markup.append(dialect.escape(styled.text().substring(from, Math.min(end, run.end())), run.element()));
        }
        close(null, end);
        return markup.toString();
    }

    private void close(@Nullable Element element, int position) {
        while (!open.isEmpty() && !Element.holds(open.element().element(), element)) {
            Opened closed = open.pop();
            markup.append(dialect.end(closed.element(), closed.inside()))
                    .append(isLetter(position, end) ? dialect.joint(closed.element()) : "");
        }
    }

    private boolean isLetter(int position, int limit) {
        return position >= 0
                && position < limit
                && Character.isLetterOrDigit(styled.text().codePointAt(position));
    }

    private void open(@Nullable Element element, int from) {
        if (element != null && (open.isEmpty() || element != open.element().element())) {
            open(element.outer(), from);
            var opened = new Opened(element, inside(element, from));
            open.push(opened);
            markup.append(!markup.isEmpty() && isLetter(from - 1, end) ? dialect.joint(element) : "")
                    .append(dialect.start(element, opened.inside()));
        }
    }

    private String inside(Element element, int from) {
        int to = from;
        for (int i = styled.run(from); i < styled.runs().size(); i++) {
            StyledText.Run run = styled.runs().get(i);
            if (run.start() >= end || !Element.holds(element, run.element())) {
                break;
            }
            to = Math.min(end, run.end());
        }
        return styled.text().substring(from, to);
    }
}
