package dev.parley.domain.memory.reflect;

import dev.parley.domain.bank.Directive;
import dev.parley.domain.memory.FactType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An extractive answer without a model: quotes the best results, numbered. What breaks a directive is left out, and no
 * opinion is given.
 *
 * @param withheld name of the directive that the answer would break and for which it is withheld, or null
 */
public record Extract(Conclusion conclusion, @Nullable String withheld) {
    /** Characters reserved for a citation and an omission mark. */
    private static final int MARK = 10;

    /** The answer if nothing was found. */
    public static final String NOTHING = "Nothing that is remembered answers this.";

    /** Maximum quotes of an answer. */
    private static final int MAX_QUOTES = 5;

    /** Minimum score relative to the best result. */
    private static final double SHARE = 0.6;

    /** Minimum absolute score. */
    private static final double MIN_SCORE = 0.3;

    /**
     * A search result.
     *
     * @param isUnit whether the result is a unit: units precede passages, which are longer
     */
    public record Piece(Evidence evidence, double score, boolean isUnit) {}

    /**
     * The answer.
     *
     * @param limit maximum characters
     */
    public static Extract of(List<Piece> found, Collection<Directive> directives, int limit) {
        List<Evidence> best = bestEvidence(found);
        if (best.isEmpty()) {
            return of(NOTHING, List.of(), directives);
        }
        List<Evidence> quotes = new ArrayList<>();
        for (Evidence next : best) {
            var extended = new ArrayList<>(quotes);
            extended.add(next);
            if (quotes.size() < MAX_QUOTES
                    && text(extended, limit).length() <= limit
                    && isAllowed(text(extended, limit), directives)) {
                quotes = extended;
            }
        }
        return quotes.isEmpty()
                ? of(text(best.subList(0, 1), limit), List.of(), directives)
                : of(text(quotes, limit), quotes, directives);
    }

    private static boolean isAllowed(String text, Collection<Directive> directives) {
        return DirectiveCheck.firstBroken(text, directives).isEmpty();
    }

    private static Extract of(String text, List<Evidence> basedOn, Collection<Directive> directives) {
        return DirectiveCheck.firstBroken(text, directives)
                .map(broken -> new Extract(
                        conclusion("", List.of()), broken.directive().name()))
                .orElseGet(() -> new Extract(conclusion(text, basedOn), null));
    }

    private static Conclusion conclusion(String text, List<Evidence> basedOn) {
        return new Conclusion(
                text, basedOn.stream().map(Evidence::id).toList(), 0, null, null, Conclusion.RULES, null, null);
    }

    private static List<Evidence> bestEvidence(List<Piece> found) {
        double top = found.stream().mapToDouble(Piece::score).max().orElse(0);
        double floor = Math.max(MIN_SCORE, top * SHARE);
        List<Piece> relevant = found.stream()
                .filter(piece -> piece.score() >= floor)
                .sorted(Comparator.comparing((Piece piece) -> piece.evidence().type() != FactType.MENTAL_MODEL)
                        .thenComparing(piece -> !piece.isUnit())
                        .thenComparing(Comparator.comparingDouble(Piece::score).reversed())
                        .thenComparing(piece -> piece.evidence().id()))
                .toList();
        boolean units = relevant.stream().anyMatch(Piece::isUnit);
        Set<String> texts = new HashSet<>();
        return relevant.stream()
                .filter(piece -> piece.isUnit() || !units)
                .map(Piece::evidence)
                .filter(quote -> texts.add(quote.text().toLowerCase(Locale.ROOT).strip()))
                .toList();
    }

    /** One numbered line per quote, each truncated to a limit. */
    private static String text(List<Evidence> pieces, int limit) {
        var lines = new ArrayList<String>();
        for (Evidence piece : pieces) {
            String line = piece.text().replaceAll("\\s+", " ").strip();
            lines.add(Conclusion.truncate(line, limit - MARK) + " [m" + (lines.size() + 1) + "]");
        }
        return String.join("\n", lines);
    }
}
