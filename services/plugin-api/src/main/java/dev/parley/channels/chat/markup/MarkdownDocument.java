package dev.parley.channels.chat.markup;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.commonmark.ext.gfm.tables.TableBlock;
import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.BulletList;
import org.commonmark.node.CustomBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.HtmlInline;
import org.commonmark.node.LinkReferenceDefinition;
import org.commonmark.node.ListBlock;
import org.commonmark.node.Node;
import org.commonmark.node.OrderedList;
import org.commonmark.node.SourceSpan;
import org.jspecify.annotations.Nullable;

/**
 * A Markdown text as its top-level parts, for platforms that read Markdown or show tables. The sources of the parts,
 * one after another, are the text.
 */
public record MarkdownDocument(List<Part> parts) {
    public MarkdownDocument {
        parts = List.copyOf(parts);
    }

    /** A part of a text. */
    public sealed interface Part {
        /** Its Markdown, with the empty lines after it. */
        String source();
    }

    /**
     * A part that is no table.
     *
     * @param rich whether it has a heading, or a list within a list
     * @param html whether it has HTML, which platforms show as it is written
     */
    public record Prose(String source, boolean rich, boolean html) implements Part {}

    /**
     * A table, each of whose rows has as many cells as its head.
     *
     * @param rows the first is the head; cells are texts of one line without markup, links followed by their URLs
     * @param alignments of the columns
     */
    public record Table(String source, List<List<String>> rows, List<Alignment> alignments) implements Part {
        public Table {
            rows = rows.stream().map(List::copyOf).toList();
            alignments = List.copyOf(alignments);
        }

        public int columns() {
            return rows.getFirst().size();
        }
    }

    /** How a column is aligned. */
    public enum Alignment {
        LEFT,
        CENTER,
        RIGHT
    }

    /**
     * Reads a text; empty where its parts cannot be shown apart: it is longer than any message, or refers to links that
     * are defined elsewhere.
     */
    public static Optional<MarkdownDocument> read(String markdown) {
        if (markdown.length() > Markup.MOST) {
            return Optional.empty();
        }
        String text = Characters.visible(Characters.normal(markdown));
        Node document;
        try {
            document = MarkdownReader.LOCATING.parse(text);
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // too many cells
        }
        var parts = new ArrayList<Part>();
        int start = 0;
        for (Node block = document.getFirstChild(); block != null; block = block.getNext()) {
            Node next = block.getNext();
            int end = next == null ? text.length() : start(text, next, start);
            if (block instanceof LinkReferenceDefinition) {
                return Optional.empty();
            }
            parts.add(part(block, text.substring(start, end)));
            start = end;
        }
        return Optional.of(new MarkdownDocument(parts));
    }

    /** The position at which the first line of a block begins, not before another position. */
    private static int start(String text, Node block, int least) {
        List<SourceSpan> spans = block.getSourceSpans();
        if (spans.isEmpty()) {
            return least;
        }
        int line = text.lastIndexOf('\n', spans.getFirst().getInputIndex() - 1) + 1;
        return Math.max(least, line);
    }

    private static Part part(Node block, String source) {
        if (block instanceof TableBlock table) {
            return table(table, source);
        }
        var features = new Features();
        block.accept(features);
        return new Prose(source, features.rich, features.html);
    }

    private static Table table(TableBlock block, String source) {
        MarkupTable table = MarkupTable.of(block, MarkdownReader::inline);
        var rows = new ArrayList<List<String>>();
        rows.add(lines(table.head()));
        table.body().forEach(row -> rows.add(lines(row)));
        return new Table(
                source,
                rows,
                table.head().cells().stream()
                        .map(cell -> alignment(cell.alignment()))
                        .toList());
    }

    private static List<String> lines(MarkupTable.Row row) {
        return row.cells().stream().map(MarkupTable.Cell::line).toList();
    }

    private static Alignment alignment(TableCell.@Nullable Alignment alignment) {
        return switch (alignment) {
            case CENTER -> Alignment.CENTER;
            case RIGHT -> Alignment.RIGHT;
            case LEFT -> Alignment.LEFT;
            case null -> Alignment.LEFT;
        };
    }

    /** What a part has that not every platform shows. */
    private static final class Features extends AbstractVisitor {
        private boolean rich;
        private boolean html;
        private int lists;

        @Override
        public void visit(Heading node) {
            rich = true;
            visitChildren(node);
        }

        @Override
        public void visit(BulletList node) {
            list(node);
        }

        @Override
        public void visit(OrderedList node) {
            list(node);
        }

        private void list(ListBlock node) {
            rich |= lists > 0;
            lists++;
            visitChildren(node);
            lists--;
        }

        /** A table within a list or quote, of which its platform shows the text. */
        @Override
        public void visit(CustomBlock node) {
            html |= node instanceof TableBlock;
            visitChildren(node);
        }

        @Override
        public void visit(HtmlBlock node) {
            html = true;
        }

        @Override
        public void visit(HtmlInline node) {
            html = true;
        }
    }
}
