package dev.parley.channels.chat.markup;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.commonmark.ext.gfm.tables.TableBlock;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.LinkReferenceDefinition;
import org.commonmark.node.Node;
import org.commonmark.node.SourceSpan;

/**
 * A part of the Markdown of a model, for platforms that show tables in a form of their own: a table outside of lists
 * and quotes, or what stands between two of them. Each part has the link definitions of the whole text, so it can be
 * read alone.
 */
public record MarkdownSection(String markdown, boolean isTable) {
    /** The parts in their order; one of text where there is no table, or too much of everything. */
    public static List<MarkdownSection> of(String markdown) {
        if (markdown.length() > Markup.MOST || markdown.indexOf('|') < 0) {
            return List.of(new MarkdownSection(markdown, false));
        }
        String normal = Characters.normal(markdown);
        try {
            return new Sections(normal.split("\n", -1)).of(MarkdownReader.LOCATING.parse(normal));
        } catch (IllegalArgumentException e) {
            return List.of(new MarkdownSection(markdown, false)); // the parser rejects more cells
        }
    }

    /** Divides lines between tables. */
    private static final class Sections {
        private final String[] lines;
        private final List<MarkdownSection> sections = new ArrayList<>();

        Sections(String[] lines) {
            this.lines = lines;
        }

        List<MarkdownSection> of(Node document) {
            String definitions = definitions(document);
            int from = 0;
            for (Node node = document.getFirstChild(); node != null; node = node.getNext()) {
                List<SourceSpan> spans = node.getSourceSpans();
                if (node instanceof TableBlock && !spans.isEmpty()) {
                    int end = spans.getLast().getLineIndex() + 1;
                    add(from, spans.getFirst().getLineIndex(), false, definitions);
                    add(spans.getFirst().getLineIndex(), end, true, definitions);
                    from = end;
                }
            }
            add(from, lines.length, false, definitions);
            return List.copyOf(sections);
        }

        private String definitions(Node document) {
            var definitions = new ArrayList<String>();
            document.accept(new AbstractVisitor() {
                @Override
                public void visit(LinkReferenceDefinition node) {
                    node.getSourceSpans().forEach(span -> definitions.add(lines[span.getLineIndex()]));
                }
            });
            return String.join("\n", definitions);
        }

        private void add(int from, int to, boolean isTable, String definitions) {
            String own = IntStream.range(from, to).mapToObj(line -> lines[line]).collect(Collectors.joining("\n"));
            if (!own.isBlank()) {
                sections.add(new MarkdownSection(definitions.isEmpty() ? own : own + "\n\n" + definitions, isTable));
            }
        }
    }
}
