package dev.parley.channels.telegram;

import dev.parley.channels.chat.markup.Markup;
import dev.parley.channels.contract.Piece;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.commonmark.ext.gfm.tables.TableBlock;
import org.commonmark.ext.gfm.tables.TableRow;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Block;
import org.commonmark.node.CustomBlock;
import org.commonmark.node.CustomNode;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.HtmlInline;
import org.commonmark.node.Image;
import org.commonmark.node.ListBlock;
import org.commonmark.node.ListItem;
import org.commonmark.node.Node;
import org.commonmark.node.SourceSpan;
import org.commonmark.node.Text;

/**
 * Answers as rich messages, where they have what a text message cannot show: a table, a heading, a list in a list, a
 * formula, details, or more than a message of text. The Markdown of the model is kept, but for what Telegram would read
 * as something else: HTML, media, and marks that are only Telegram's.
 *
 * @see <a href="https://core.telegram.org/bots/api#inputrichmessage">InputRichMessage</a>
 */
final class RichMarkup extends AbstractVisitor {
    private static final int MAX_TEXT = 32_768;
    private static final int MAX_BLOCKS = 500;
    private static final int MAX_LEVELS = 16;
    private static final int MAX_COLUMNS = 20;

    /** Begins the markup of a rich message, and no other: HTML has no such tag. */
    private static final String MARK = "<rich>";

    private static final Pattern DETAILS =
            Pattern.compile("(?s)\\s*(<details(?: open)?>\\s*(<summary>[^<]*</summary>)?|</details>)\\s*");
    /** A formula in a line begins and ends with a letter or sign, and has a sign of formulas, so prices are none. */
    private static final Pattern FORMULA = Pattern.compile("(?s)\\$\\$(?!\\s*\\$\\$).{1,2000}?\\$\\$"
            + "|\\$(?=[^\\s$])[^$\\n]{0,200}?[\\\\^_{=][^$\\n]{0,200}?(?<=[^\\s$\\\\])\\$(?!\\d)");
    /** Marks of Telegram's dialect that are none on GitHub. */
    private static final Pattern TELEGRAMS = Pattern.compile("\\|\\||==|\\$");

    private final String source;
    private final List<int[]> formulas = new ArrayList<>();
    private final List<Patch> patches = new ArrayList<>();
    private int blocks;
    private int level;
    private int details;
    private boolean fits = true;
    private boolean needed;

    /** Replaces a range of the source. */
    private record Patch(int from, int to, String text) {}

    private RichMarkup(String source) {
        this.source = source;
    }

    /** Whether words are a rich message. */
    static boolean isRich(Piece.Words words) {
        return words.markup().startsWith(MARK);
    }

    /** The Markdown of a rich message. */
    static String markdown(Piece.Words words) {
        return words.markup().substring(MARK.length());
    }

    /**
     * The rich message of an answer; empty where a text message shows all of it, or the limits are exceeded.
     *
     * @param pieces the answer without rich messages
     */
    static Optional<Piece.Words> of(String text, List<Piece> pieces) {
        if (text.length() > MAX_TEXT || !(pieces.getFirst() instanceof Piece.Words first)) {
            return Optional.empty();
        }
        String source = Markup.normal(text);
        var reader = new RichMarkup(source);
        return reader.write(pieces.size() > 1).map(markdown -> new Piece.Words(MARK + markdown, first.plain()));
    }

    private Optional<String> write(boolean isLong) {
        Node document;
        try {
            document = Markup.parse(source);
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // too many cells
        }
        findFormulas();
        document.accept(this);
        boolean isRich = (needed || isLong) && fits && details == 0 && blocks <= MAX_BLOCKS;
        return isRich ? Optional.of(patched()).filter(markdown -> markdown.length() <= MAX_TEXT) : Optional.empty();
    }

    private void findFormulas() {
        Matcher matcher = FORMULA.matcher(source);
        while (matcher.find()) {
            formulas.add(new int[] {matcher.start(), matcher.end()});
        }
    }

    private String patched() {
        patches.sort(Comparator.comparingInt(Patch::from));
        var out = new StringBuilder();
        int at = 0;
        for (Patch patch : patches) {
            if (patch.from() >= at) {
                out.append(source, at, patch.from()).append(patch.text());
                at = patch.to();
            }
        }
        return out.append(source.substring(at)).toString();
    }

    @Override
    protected void visitChildren(Node parent) {
        boolean isBlock = parent instanceof Block;
        level += isBlock ? 1 : 0;
        fits &= level <= MAX_LEVELS;
        for (Node child = parent.getFirstChild(); child != null; child = child.getNext()) {
            blocks += child instanceof Block || child instanceof TableRow ? 1 : 0;
            child.accept(this);
        }
        level -= isBlock ? 1 : 0;
    }

    @Override
    public void visit(Heading heading) {
        needed = true;
        visitChildren(heading);
    }

    @Override
    public void visit(CustomBlock block) {
        needed |= block instanceof TableBlock;
        visitChildren(block);
    }

    @Override
    public void visit(CustomNode node) {
        if (node instanceof TableRow) {
            int cells = 0;
            for (Node cell = node.getFirstChild(); cell != null; cell = cell.getNext()) {
                cells++;
            }
            fits &= cells <= MAX_COLUMNS;
        }
        visitChildren(node);
    }

    @Override
    public void visit(ListItem item) {
        for (Node child = item.getFirstChild(); child != null; child = child.getNext()) {
            needed |= child instanceof ListBlock;
        }
        visitChildren(item);
    }

    @Override
    public void visit(FencedCodeBlock code) {
        needed |= "math".equals(code.getInfo());
    }

    @Override
    public void visit(HtmlBlock html) {
        if (html.getParent() != null && DETAILS.matcher(html.getLiteral()).matches()) {
            needed = true;
            details += html.getLiteral().contains("</details>") ? -1 : 1;
            fits &= details >= 0;
        } else {
            escape(html, "<");
        }
    }

    @Override
    public void visit(HtmlInline html) {
        if (!html.getLiteral().matches("(?i)<br\\s*/?>")) {
            escape(html, "<");
        }
    }

    /** An image is fetched by Telegram, so whoever makes the model write an address would learn of it: it is a link. */
    @Override
    public void visit(Image image) {
        SourceSpan first = image.getSourceSpans().getFirst();
        patches.add(new Patch(first.getInputIndex(), first.getInputIndex() + 1, ""));
        visitChildren(image);
    }

    @Override
    public void visit(Text text) {
        for (SourceSpan span : text.getSourceSpans()) {
            int end = span.getInputIndex() + span.getLength();
            Matcher marks = TELEGRAMS.matcher(source).region(span.getInputIndex(), end);
            while (marks.find()) {
                mark(marks.start(), marks.group());
            }
        }
    }

    private void mark(int at, String mark) {
        if (formulas.stream().anyMatch(range -> range[0] <= at && at < range[1])) {
            needed = true;
        } else if (at == 0 || source.charAt(at - 1) != '\\') {
            patches.add(new Patch(at, at + mark.length(), mark.replaceAll("(.)", "\\\\$1")));
        }
    }

    private void escape(Node node, String mark) {
        for (SourceSpan span : node.getSourceSpans()) {
            int end = span.getInputIndex() + span.getLength();
            int at = source.indexOf(mark, span.getInputIndex());
            while (at >= 0 && at < end) {
                patches.add(new Patch(at, at + mark.length(), "\\" + mark));
                at = source.indexOf(mark, at + 1);
            }
        }
    }
}
