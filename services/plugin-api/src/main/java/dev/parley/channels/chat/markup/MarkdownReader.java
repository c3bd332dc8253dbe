package dev.parley.channels.chat.markup;

import dev.parley.channels.chat.markup.Element.Kind;
import dev.parley.channels.chat.markup.StyledText.Break;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.strikethrough.Strikethrough;
import org.commonmark.ext.gfm.strikethrough.StrikethroughExtension;
import org.commonmark.ext.gfm.tables.TableBlock;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Block;
import org.commonmark.node.BlockQuote;
import org.commonmark.node.BulletList;
import org.commonmark.node.Code;
import org.commonmark.node.CustomBlock;
import org.commonmark.node.CustomNode;
import org.commonmark.node.Emphasis;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.HardLineBreak;
import org.commonmark.node.Heading;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.HtmlInline;
import org.commonmark.node.Image;
import org.commonmark.node.IndentedCodeBlock;
import org.commonmark.node.Link;
import org.commonmark.node.ListBlock;
import org.commonmark.node.ListItem;
import org.commonmark.node.Node;
import org.commonmark.node.OrderedList;
import org.commonmark.node.Paragraph;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.StrongEmphasis;
import org.commonmark.node.Text;
import org.commonmark.node.ThematicBreak;
import org.commonmark.parser.IncludeSourceSpans;
import org.commonmark.parser.Parser;
import org.jspecify.annotations.Nullable;

/** Converts Markdown into visible text with elements. */
final class MarkdownReader extends AbstractVisitor {
    /** Longer code and tables are sent as files: about three screens of messages. */
    static final int MAX_CODE = 8000;

    private static final int MAX_DEPTH = 24;
    /** More cells than a readable text can have, unless short rows are filled up. */
    private static final int MAX_CELLS = 40_000;

    private static final List<Extension> EXTENSIONS = List.of(
            TablesExtension.builder().maxCells(MAX_CELLS).build(),
            StrikethroughExtension.builder().requireTwoTildes(true).build());
    static final Parser PARSER = parser(IncludeSourceSpans.NONE);
    /** Its nodes have their places in the text. */
    static final Parser LOCATING = parser(IncludeSourceSpans.BLOCKS_AND_INLINES);

    private static final String INDENT = "   ";
    private static final String[] BULLETS = {"• ", "◦ ", "▪ "};
    private static final Pattern TASK = Pattern.compile("\\[([ xX])\\]\\s+");
    private static final Pattern NEW_LINE = Pattern.compile("(?i)<br\\s{0,9}/?>\n?");

    private final List<ReplyPart> parts = new ArrayList<>();
    private final boolean files;
    private final int limit;
    private final int columns;
    private StyledText.Builder text = new StyledText.Builder();
    private @Nullable Element element;
    private String indent = "";
    private int lists;
    private int read;

    private static Parser parser(IncludeSourceSpans spans) {
        return Parser.builder()
                .extensions(EXTENSIONS)
                .customInlineContentParserFactory(new BareAddress.Factory())
                .maxOpenBlockParsers(MAX_DEPTH)
                .maxInlineNesting(MAX_DEPTH)
                .includeSourceSpans(spans)
                .build();
    }

    private MarkdownReader(boolean files, int limit, int columns) {
        this.files = files;
        this.limit = limit;
        this.columns = columns;
    }

    /**
     * The parts of a reply; empty where there is more text than {@code limit}.
     *
     * @param files whether long code and tables become files
     * @param columns of a line of the widest table that is aligned
     */
    static Optional<List<ReplyPart>> read(String markdown, boolean files, int limit, int columns) {
        var reader = new MarkdownReader(files, limit, columns);
        try {
            PARSER.parse(markdown).accept(reader);
        } catch (IllegalArgumentException e) {
            // The parser rejects more cells.
            return Optional.empty();
        }
        reader.finishText();
        return reader.read > limit ? Optional.empty() : Optional.of(List.copyOf(reader.parts));
    }

    /** The text within a node. */
    private StyledText inside(Node node) {
        return inside(node, limit);
    }

    /** The text within a node of a reply. */
    static StyledText inline(Node node) {
        return inside(node, Markup.MOST);
    }

    private static StyledText inside(Node node, int limit) {
        var reader = new MarkdownReader(false, limit, 0); // without tables
        reader.visitChildren(node);
        return reader.text.build();
    }

    private void finishText() {
        StyledText styled = text.build();
        if (!styled.text().isEmpty()) {
            parts.add(new ReplyPart.Text(styled));
        }
        text = new StyledText.Builder();
    }

    private void append(String visible, @Nullable Element enclosing) {
        if (read <= limit) {
            text.append(visible, enclosing);
            read += visible.length();
        }
    }

    /** Text other than code: file names in it become code. */
    private void prose(String literal) {
        String visible = Characters.visible(literal).replace("\n", "\n" + indent);
        if (Element.of(element, Kind.LINK) != null) {
            append(visible, element);
            return;
        }
        int start = 0;
        for (Addresses.Range file : Addresses.files(visible)) {
            append(visible.substring(start, file.start()), element);
            append(visible.substring(file.start(), file.end()), Element.within(element, Kind.CODE, ""));
            start = file.end();
        }
        append(visible.substring(start), element);
    }

    private void within(Kind kind, String argument, Runnable content) {
        Element outer = element;
        element = Element.within(outer, kind, argument);
        content.run();
        element = outer;
    }

    @Override
    public void visit(Text node) {
        prose(node.getLiteral());
    }

    @Override
    public void visit(SoftLineBreak node) {
        append("\n" + indent, element);
    }

    @Override
    public void visit(HardLineBreak node) {
        append("\n" + indent, element);
    }

    @Override
    public void visit(HtmlInline node) {
        html(node.getLiteral());
    }

    private void html(String literal) {
        prose(NEW_LINE.matcher(literal).replaceAll("\n"));
    }

    @Override
    public void visit(Code node) {
        String code = Characters.visible(node.getLiteral());
        append(code, Element.within(element, Kind.CODE, ""));
    }

    @Override
    public void visit(Emphasis node) {
        within(Kind.ITALIC, "", () -> visitChildren(node));
    }

    @Override
    public void visit(StrongEmphasis node) {
        within(Kind.BOLD, "", () -> visitChildren(node));
    }

    @Override
    public void visit(CustomNode node) {
        if (node instanceof Strikethrough) {
            within(Kind.STRIKE, "", () -> visitChildren(node));
        } else if (node instanceof BareAddress address) {
            address(address);
        } else {
            visitChildren(node);
        }
    }

    /** Platforms find addresses with a scheme themselves. */
    private void address(BareAddress address) {
        String visible = Characters.visible(address.literal());
        if (address.isWithoutScheme() && Addresses.isLink(address.destination())) {
            within(Kind.LINK, address.destination(), () -> append(visible, element));
        } else {
            append(visible, element);
        }
    }

    @Override
    public void visit(Link node) {
        link(node, node.getDestination());
    }

    @Override
    public void visit(Image node) {
        link(node, node.getDestination());
    }

    private void link(Node node, String destination) {
        String address = Characters.visible(destination).replace("\n", "").strip();
        if (Element.of(element, Kind.LINK) != null) {
            visitChildren(node);
        } else if (Addresses.isLink(address)) {
            within(Kind.LINK, address, () -> {
                int before = read;
                visitChildren(node);
                append(read == before ? address : "", element);
            });
        } else {
            int start = read;
            int from = text.length();
            visitChildren(node);
            addressAfter(read == start ? "" : text.since(from).strip(), Addresses.displayText(address));
        }
    }

    private void addressAfter(String label, String address) {
        if (label.isEmpty()) {
            append(address, element);
        } else if (!address.isEmpty() && !address.equals(label)) {
            append(" (" + address + ")", element);
        }
    }

    /** Starts a new block. */
    private void begin(Node block) {
        Node parent = block.getParent();
        boolean first = parent instanceof ListItem && block.getPrevious() == null;
        if (first && block instanceof Paragraph) {
            return;
        }
        boolean tight = first || parent instanceof ListItem && (isTight(parent) || block instanceof ListBlock);
        boolean titled = block.getPrevious() instanceof Heading;
        Break kind = parent instanceof ListItem || titled ? Break.LINE : Break.BLOCK;
        text.separate(tight ? 1 : 2, kind);
    }

    private static boolean isTight(Node item) {
        return item.getParent() instanceof ListBlock list && list.isTight();
    }

    /** The indent of the first line of a block. */
    private void indent(Block block) {
        boolean first = block.getParent() instanceof ListItem && block.getPrevious() == null;
        if (!first && !indent.isEmpty()) {
            append(indent, Element.of(element, Kind.QUOTE));
        }
    }

    @Override
    public void visit(Paragraph node) {
        begin(node);
        if (node.getFirstChild() != null) {
            indent(node);
        }
        visitChildren(node);
    }

    @Override
    public void visit(Heading node) {
        begin(node);
        within(Kind.BOLD, "", () -> visitChildren(node));
    }

    @Override
    public void visit(ThematicBreak node) {
        begin(node);
        append("———", element);
    }

    @Override
    public void visit(HtmlBlock node) {
        begin(node);
        html(node.getLiteral());
    }

    @Override
    public void visit(BlockQuote node) {
        begin(node);
        String outer = indent;
        indent = Element.of(element, Kind.QUOTE) == null ? "" : indent;
        within(Kind.QUOTE, "", () -> visitChildren(node));
        indent = outer;
    }

    @Override
    public void visit(FencedCodeBlock node) {
        String info = node.getInfo();
        code(node, node.getLiteral(), CodeLanguage.of(info == null ? "" : info));
    }

    @Override
    public void visit(IndentedCodeBlock node) {
        code(node, node.getLiteral(), new CodeLanguage(""));
    }

    private void code(Node node, String literal, CodeLanguage language) {
        String code = Characters.visible(Characters.withoutTabs(literal)).stripTrailing();
        begin(node);
        if (files && code.length() > MAX_CODE) {
            file("code", language.ending(), "text/plain", code + "\n");
        } else {
            within(Kind.PRE, language.name(), () -> append(code, element));
        }
    }

    private void file(String name, String extension, String mimeType, String content) {
        finishText();
        long before = parts.stream().filter(ReplyPart.File.class::isInstance).count();
        String number = before == 0 ? "" : "-" + (before + 1);
        parts.add(new ReplyPart.File(new MessageChunk.Document(name + number + "." + extension, mimeType, content)));
        read += content.length();
    }

    @Override
    public void visit(BulletList node) {
        list(node, 1);
    }

    @Override
    public void visit(OrderedList node) {
        Integer start = node.getMarkerStartNumber();
        list(node, start == null ? 1 : start);
    }

    private void list(ListBlock list, int start) {
        begin(list);
        String outer = indent;
        lists++;
        int number = start;
        for (Node item = list.getFirstChild(); item != null; item = item.getNext()) {
            if (item != list.getFirstChild()) {
                text.separate(list.isTight() ? 1 : 2, outer.isEmpty() ? Break.ITEM : Break.LINE);
            }
            item(
                    item,
                    list instanceof OrderedList ? number++ + ". " : BULLETS[Math.min(lists, BULLETS.length) - 1],
                    outer);
        }
        lists--;
        indent = outer;
    }

    private void item(Node item, String mark, String outer) {
        append(outer + itemMark(item, mark), Element.of(element, Kind.QUOTE));
        indent = outer + INDENT;
        visitChildren(item);
    }

    /** The mark of an item, with a check box for a task, whose own mark is removed from its text. */
    private static String itemMark(Node item, String mark) {
        if (item.getFirstChild() instanceof Paragraph first && first.getFirstChild() instanceof Text task) {
            Matcher matcher = TASK.matcher(task.getLiteral());
            if (matcher.lookingAt()) {
                task.setLiteral(task.getLiteral().substring(matcher.end()));
                String box = matcher.group(1).isBlank() ? "☐ " : "☑ ";
                return item.getParent() instanceof OrderedList ? mark + box : box;
            }
        }
        return mark;
    }

    @Override
    public void visit(CustomBlock node) {
        if (node instanceof TableBlock block) {
            begin(node);
            table(MarkupTable.of(block, this::inside));
        } else {
            visitChildren(node);
        }
    }

    private void table(MarkupTable table) {
        if (files && table.length() > MAX_CODE) {
            file("table", "csv", "text/csv", table.csv());
        } else if (table.fits(columns)) {
            within(Kind.PRE, "", () -> append(table.alignedText(), element));
        } else {
            rows(table);
        }
    }

    /** Row by row, each cell after the name of its column. Empty cells are omitted, except in the first row. */
    private void rows(MarkupTable table) {
        List<MarkupTable.Row> rows = table.body().isEmpty() ? List.of(table.head()) : table.body();
        for (MarkupTable.Row row : rows) {
            text.separate(2, Break.ITEM);
            for (int column = 0; column < row.cells().size(); column++) {
                MarkupTable.Cell name = table.head().cells().get(column);
                MarkupTable.Cell cell = row.cells().get(column);
                if (!cell.line().isEmpty() || row == rows.getFirst()) {
                    text.separate(1, Break.LINE);
                    cell(row == table.head() ? null : name, cell);
                }
            }
        }
    }

    private void cell(MarkupTable.@Nullable Cell name, MarkupTable.Cell cell) {
        if (name != null && !name.line().isEmpty()) {
            within(Kind.BOLD, "", () -> visitChildren(name.node()));
            append(cell.line().isEmpty() ? ": —" : ": ", element);
        }
        visitChildren(cell.node());
    }
}
