package dev.parley.memory.search;

import dev.parley.language.time.TimeSpan;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** An index at one moment, restricted by a filter. Rows identify items. */
public final class View {
    private static final double SATURATION = 1.2;
    private static final double BY_LENGTH = 0.75;

    private final Index index;
    private final SearchFilter filter;
    private final boolean now;
    private final long moment;
    private final IntPredicate accepted;
    private int known = Index.NONE;
    private double meanLength;

    View(Index index, SearchFilter filter) {
        this.index = index;
        this.filter = filter;
        Instant asOf = filter.asOf();
        now = asOf == null;
        moment = asOf == null ? 0 : Index.micros(asOf);
        accepted = filter.isOpen() ? this::isKnown : row -> isKnown(row) && filter.accepts(index.item(row));
    }

    public Item item(int row) {
        return index.item(row);
    }

    private boolean isKnown(int row) {
        return now ? index.isCurrent(row) : index.isKnown(row, moment);
    }

    /** BM25 scores of all items for a query. */
    public Weights bm25(String question) {
        var weights = new float[index.rows()];
        for (Map.Entry<String, Integer> term : countTerms(question).entrySet()) {
            Postings postings = index.word(term.getKey());
            if (postings != null) {
                addScores(postings, term.getValue(), weights);
            }
        }
        return new Weights(weights);
    }

    private static Map<String, Integer> countTerms(String question) {
        var counts = new LinkedHashMap<String, Integer>();
        Terms.of(question).forEach(term -> counts.merge(term, 1, Integer::sum));
        return counts;
    }

    /** BM25, with the statistics of all that is known at the moment of the view, regardless of its filter. */
    private void addScores(Postings postings, int frequency, float[] weights) {
        countKnown();
        long having =
                now ? postings.current() : postings.rows().filter(this::isKnown).count();
        double rarity = frequency * Math.log(1 + (known - having + 0.5) / (having + 0.5));
        for (int i = 0; i < postings.size(); i++) {
            int row = postings.rowAt(i);
            if (now || isKnown(row)) { // superseded rows are not accepted, whatever their score
                int times = postings.timesAt(i);
                double norm = SATURATION * (1 - BY_LENGTH + BY_LENGTH * index.length(row) / meanLength);
                weights[row] += (float) (rarity * times * (SATURATION + 1) / (times + norm));
            }
        }
    }

    private void countKnown() {
        if (known != Index.NONE) {
            return;
        }
        if (now) {
            known = index.current();
            meanLength = (double) index.currentLength() / Math.max(1, known);
            return;
        }
        long length = 0;
        known = 0;
        for (int row = 0; row < index.rows(); row++) {
            if (isKnown(row)) {
                known++;
                length += index.length(row);
            }
        }
        meanLength = (double) length / Math.max(1, known);
    }

    /** BM25 scores by row. */
    public final class Weights {
        private final float[] weights;

        private Weights(float[] weights) {
            this.weights = weights;
        }

        /** The score of a row, 0 without any of the words. */
        public double of(int row) {
            return weights[row];
        }

        /** The best rows with any of the words. */
        public List<SearchHit> best(int limit) {
            TopK best = View.this.newTopK(limit);
            for (int row = 0; row < weights.length; row++) {
                if (weights[row] > 0 && best.accepts(weights[row]) && accepted.test(row)) {
                    best.offer(row, weights[row]);
                }
            }
            return best.list();
        }
    }

    /**
     * The most similar rows.
     *
     * @param floor minimum cosine similarity
     */
    public List<SearchHit> nearest(Embedding query, double floor, int limit) {
        IvfIndex cells = index.generation(query.generation());
        TopK best = newTopK(limit);
        if (cells != null && cells.fits(query.vector())) {
            // Cells contain current rows only.
            IntPredicate condition = now && filter.isOpen() ? row -> true : accepted;
            Index.search(cells, query.vector(), !now, condition, floor, limit, best);
        }
        return best.list();
    }

    /** Cosine similarity to an item; NaN where it has no vector of this generation. */
    public double similarity(int row, Embedding query) {
        IvfIndex cells = index.generation(query.generation());
        return cells == null ? Double.NaN : cells.similarity(row, query.vector());
    }

    /** Items that happened, or else were said, in a time span. */
    public IntStream during(TimeSpan window) {
        long begin = Index.micros(window.from());
        long end = Index.micros(window.to());
        return IntStream.range(0, index.rows())
                .filter(row -> index.overlaps(row, begin, end))
                .filter(accepted);
    }

    /** Items that mention an entity, the newest first. */
    public List<SearchHit> withEntity(String entity, int limit) {
        TopK best = newTopK(limit);
        Postings postings = index.entity(entity);
        // Rows are mostly in the order of their dates: from the end, most others are rejected by score.
        int last = postings == null ? -1 : postings.size() - 1;
        for (int i = last; postings != null && i >= 0; i--) {
            int row = postings.rowAt(i);
            if (best.accepts((double) index.begin(row)) && accepted.test(row)) {
                best.offer(row, (double) index.begin(row));
            }
        }
        return best.list();
    }

    /** The best of these scores; ties are broken by id. */
    public List<SearchHit> best(Map<Integer, Double> scores, int limit) {
        TopK best = newTopK(limit);
        scores.forEach((row, score) -> {
            if (best.accepts(score)) {
                best.offer(row, score);
            }
        });
        return best.list();
    }

    /** Passages of the message {@code offset} positions later in the conversation. */
    public IntStream messageAt(MessagePosition position, int offset) {
        return rows(index.postingsAt(position.plus(offset)));
    }

    private IntStream rows(@Nullable Postings postings) {
        return postings == null ? IntStream.empty() : postings.rows().filter(accepted);
    }

    /** The links of an item, in both directions. */
    public List<LinkEnd> links(int row) {
        var result = new ArrayList<LinkEnd>();
        for (long link : index.links(row)) {
            int other = version(PackedLinks.node(link));
            if (other != Index.NONE && accepted.test(other)) {
                result.add(new LinkEnd(
                        other, PackedLinks.type(link), PackedLinks.weight(link), PackedLinks.outgoing(link)));
            }
        }
        return result;
    }

    private int version(int node) {
        int row = index.newest(node);
        while (row != Index.NONE && !isKnown(row)) {
            row = index.earlier(row);
        }
        return row;
    }

    private TopK newTopK(int limit) {
        return new TopK(limit, row -> index.item(row).id());
    }
}
