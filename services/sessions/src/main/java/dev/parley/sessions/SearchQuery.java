package dev.parley.sessions;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A parsed search query: all terms must match, {@code "a phrase"} matches words in this order, {@code begin*} matches a
 * prefix. Matching ignores case and accents.
 *
 * @param terms the folded terms that must match; empty if the text has no words
 */
public record SearchQuery(List<Term> terms) {
    private static final Pattern TERM = Pattern.compile("\"([^\"]*)\"|(\\S+)");
    private static final Pattern NO_WORD = Pattern.compile("[^\\p{L}\\p{N}]+");
    private static final int MAX_TERMS = 20;
    private static final int SNIPPET = 160;
    private static final int BEFORE = 40;

    /** @param words folded words that follow each other */
    public record Term(List<String> words, boolean prefix) {}

    /** A piece of a text, and the highlighted words in it as pairs of begin and end index. */
    public record Snippet(String text, List<List<Integer>> highlights) {}

    /** Parses the text that a user typed; terms above the limit are ignored. */
    public static SearchQuery parse(String text) {
        var terms = new ArrayList<Term>();
        Matcher matcher = TERM.matcher(text);
        while (matcher.find() && terms.size() < MAX_TERMS) {
            boolean quoted = matcher.group(1) != null;
            String term = SearchText.foldText(quoted ? matcher.group(1) : matcher.group(2));
            var words =
                    NO_WORD.splitAsStream(term).filter(word -> !word.isEmpty()).toList();
            if (!words.isEmpty()) {
                terms.add(new Term(words, !quoted && term.endsWith("*")));
            }
        }
        return new SearchQuery(List.copyOf(terms));
    }

    /** The query in the syntax of Postgres {@code to_tsquery}; its words consist of letters and digits only. */
    public String toTsQuery() {
        var query = new StringBuilder();
        for (Term term : terms) {
            query.append(query.isEmpty() ? "" : " & ").append('(').append(String.join(" <-> ", term.words()));
            query.append(term.prefix() ? ":*)" : ")");
        }
        return query.toString();
    }

    /** The piece of a text around the first match, with some context before it. */
    public Snippet snippet(String original) {
        return snippet(original, SNIPPET);
    }

    /** The piece of a text around the first match, at most {@code max} characters. */
    public Snippet snippet(String original, int max) {
        String text = SearchText.compose(original);
        String folded = SearchText.foldText(text);
        List<int[]> hits = hits(folded);
        int from = hits.isEmpty() ? 0 : Math.max(0, hits.getFirst()[0] - BEFORE);
        int to = Math.min(text.length(), from + max);
        from = startOfWord(text, from);
        int start = from;
        var highlights = hits.stream()
                .filter(hit -> hit[0] >= start && hit[1] <= to)
                .map(hit -> List.of(hit[0] - start, hit[1] - start))
                .toList();
        return new Snippet(text.substring(from, to), highlights);
    }

    private static int startOfWord(String text, int from) {
        if (from == 0) {
            return 0;
        }
        int space = text.indexOf(' ', from);
        return space >= 0 && space - from < BEFORE / 2 ? space + 1 : from;
    }

    private List<int[]> hits(String folded) {
        var hits = new ArrayList<int[]>();
        int position = 0;
        while (position < folded.length() && hits.size() < MAX_TERMS) {
            int end = endOfWord(folded, position);
            if (end == position) {
                position++;
                continue;
            }
            if (matches(folded.substring(position, end))) {
                hits.add(new int[] {position, end});
            }
            position = end;
        }
        return hits;
    }

    private static int endOfWord(String text, int start) {
        int end = start;
        while (end < text.length() && Character.isLetterOrDigit(text.charAt(end))) {
            end++;
        }
        return end;
    }

    private boolean matches(String word) {
        return terms.stream()
                .anyMatch(term -> term.words().contains(word)
                        || (term.prefix() && word.startsWith(term.words().getLast())));
    }
}
