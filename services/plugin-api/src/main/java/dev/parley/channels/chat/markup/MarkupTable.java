package dev.parley.channels.chat.markup;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.commonmark.ext.gfm.tables.TableBlock;
import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.node.Node;
import org.jspecify.annotations.Nullable;

/** A table, and its renderings. */
record MarkupTable(Row head, List<Row> body) {
    private static final String BETWEEN = " | ";
    private static final Pattern CLUSTER = Pattern.compile("\\X");
    /** Cells that spreadsheets would evaluate. */
    private static final Pattern FORMULA = Pattern.compile("(?s)[=@+-](?![\\d.,]*+%?$).*");

    record Row(List<Cell> cells) {}

    /** @param line its text in one line */
    record Cell(Node node, String line, boolean isLinked, TableCell.@Nullable Alignment alignment) {
        static Cell of(TableCell node, StyledText text) {
            return new Cell(node, text.line(), text.isLinked(), node.getAlignment());
        }
    }

    /** Reads a table. */
    static MarkupTable of(TableBlock block, Function<Node, StyledText> reader) {
        var rows = new ArrayList<Row>();
        for (Node part = block.getFirstChild(); part != null; part = part.getNext()) {
            for (Node row = part.getFirstChild(); row != null; row = row.getNext()) {
                rows.add(row(row, reader));
            }
        }
        return new MarkupTable(rows.getFirst(), rows.subList(1, rows.size()));
    }

    private static Row row(Node row, Function<Node, StyledText> reader) {
        var cells = new ArrayList<Cell>();
        for (Node cell = row.getFirstChild(); cell != null; cell = cell.getNext()) {
            if (cell instanceof TableCell node) {
                cells.add(Cell.of(node, reader.apply(node)));
            }
        }
        return new Row(cells);
    }

    private Stream<Row> rows() {
        return Stream.concat(Stream.of(head), body.stream());
    }

    /** The length of the table when written row by row. */
    int length() {
        int names = length(head);
        return names + body.stream().mapToInt(row -> names + length(row)).sum();
    }

    private static int length(Row row) {
        return row.cells().stream().mapToInt(cell -> cell.line().length() + 3).sum();
    }

    /** Whether the table fits into aligned columns, in lines of this many characters. */
    boolean fits(int columns) {
        return rows().flatMap(row -> row.cells().stream()).noneMatch(Cell::isLinked)
                && IntStream.of(widths()).sum()
                                + BETWEEN.length() * (head.cells().size() - 1)
                        <= columns;
    }

    private int[] widths() {
        var widths = new int[head.cells().size()];
        rows().forEach(row -> {
            for (int column = 0; column < row.cells().size(); column++) {
                widths[column] =
                        Math.max(widths[column], width(row.cells().get(column).line()));
            }
        });
        return widths;
    }

    /** The table in aligned columns of a monospaced font. */
    String alignedText() {
        int[] widths = widths();
        String rule = IntStream.of(widths).mapToObj("-"::repeat).collect(Collectors.joining("-|-"));
        return align(head, widths)
                + "\n"
                + rule
                + body.stream().map(row -> "\n" + align(row, widths)).collect(Collectors.joining());
    }

    private static String align(Row row, int[] widths) {
        return IntStream.range(0, row.cells().size())
                .mapToObj(column -> align(row.cells().get(column), widths[column]))
                .collect(Collectors.joining(BETWEEN))
                .stripTrailing();
    }

    private static String align(Cell cell, int width) {
        int free = width - width(cell.line());
        int left = switch (cell.alignment()) {
            case RIGHT -> free;
            case CENTER -> free / 2;
            case LEFT -> 0;
            case null -> 0;
        };
        return " ".repeat(left) + cell.line() + " ".repeat(free - left);
    }

    /** Columns of a text: East Asian characters and emoji take two. */
    private static int width(String text) {
        if (Characters.isSimple(text)) {
            return text.length();
        }
        return CLUSTER.matcher(text)
                .results()
                .mapToInt(cluster -> cluster.group()
                        .codePoints()
                        .map(MarkupTable::width)
                        .max()
                        .orElse(0))
                .sum();
    }

    private static int width(int point) {
        return switch (Character.getType(point)) {
            case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.FORMAT -> 0;
            default -> isWide(point) ? 2 : 1;
        };
    }

    private static boolean isWide(int point) {
        return point >= 0x1100
                && (point <= 0x115F
                        || point >= 0x2E80 && point <= 0xA4CF && point != 0x303F
                        || point >= 0xA960 && point <= 0xA97F
                        || point >= 0xAC00 && point <= 0xD7A3
                        || point >= 0xF900 && point <= 0xFAFF
                        || point >= 0xFE30 && point <= 0xFE6F
                        || point >= 0xFF01 && point <= 0xFF60
                        || point >= 0xFFE0 && point <= 0xFFE6
                        || point >= 0x20000 && point <= 0x3FFFD
                        || Character.isEmojiPresentation(point));
    }

    /** The table as CSV, in which no cell is a formula. */
    String csv() {
        return rows().map(row -> row.cells().stream()
                        .map(cell -> value(cell.line()))
                        .collect(Collectors.joining(",", "", "\r\n")))
                .collect(Collectors.joining());
    }

    private static String value(String text) {
        String value = FORMULA.matcher(text).matches() ? "'" + text : text;
        return value.matches("(?s).*[\",\r\n].*") ? '"' + value.replace("\"", "\"\"") + '"' : value;
    }
}
