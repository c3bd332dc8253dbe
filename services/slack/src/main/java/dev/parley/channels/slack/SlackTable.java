package dev.parley.channels.slack;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.chat.markup.MarkdownDocument.Table;
import java.util.List;
import java.util.Locale;

/**
 * Tables as blocks: a {@code table}, or where it has many rows a {@code data_table}, which shows them by pages.
 *
 * @see <a href="https://docs.slack.dev/reference/block-kit/blocks/table-block">table</a>
 * @see <a href="https://docs.slack.dev/reference/block-kit/blocks/data-table-block">data_table</a>
 */
final class SlackTable {
    private static final int MAX_ROWS = 100;
    private static final int MAX_COLUMNS = 20;
    /** Rows from which a table is shown by pages. */
    private static final int PAGED = 25;

    private static final int PAGE = 20;
    private static final int MAX_CAPTION = 100;
    private static final int MAX_CELL = 2_000;

    private SlackTable() {}

    /** Whether Slack shows all of a table. */
    static boolean fits(Table table) {
        return table.rows().size() <= MAX_ROWS
                && table.rows().size() > 1
                && table.columns() <= MAX_COLUMNS
                && table.rows().stream().allMatch(row -> row.size() == table.columns())
                && table.rows().stream().flatMap(List::stream).allMatch(cell -> cell.length() <= MAX_CELL);
    }

    static ObjectNode block(Table table) {
        boolean paged = table.rows().size() > PAGED;
        ObjectNode block = SlackApi.params().put("type", paged ? "data_table" : "table");
        if (paged) {
            String caption = String.join(", ", table.rows().getFirst());
            block.put(
                            "caption",
                            caption.isBlank() ? "…" : caption.substring(0, Math.min(MAX_CAPTION, caption.length())))
                    .put("page_size", PAGE);
        } else {
            ArrayNode columns = block.putArray("column_settings");
            table.alignments()
                    .forEach(alignment -> columns.addObject()
                            .put("align", alignment.name().toLowerCase(Locale.ROOT))
                            .put("is_wrapped", true));
        }
        ArrayNode rows = block.putArray("rows");
        for (List<String> row : table.rows()) {
            ArrayNode cells = rows.addArray();
            row.forEach(cell -> cells.addObject()
                    .put("type", "raw_text")
                    .put("text", cell.isBlank() ? " " : SlackText.quiet(cell)));
        }
        return block;
    }
}
