package dev.parley.memory.recall;

import dev.parley.domain.memory.FactType;
import dev.parley.language.time.TimeSpan;
import dev.parley.memory.search.Embedding;
import dev.parley.memory.search.Index;
import dev.parley.memory.search.Item;
import dev.parley.memory.search.ItemKind;
import dev.parley.memory.search.SearchHit;
import dev.parley.memory.search.View;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs a recall query on an index: retrieve, score, pack. Ranks are fused, too, for rerankers that use them; by default
 * {@link EvidenceReranker} decides the order. Stateless; any thread.
 */
public final class Recall {
    /** Constant of reciprocal rank fusion, as in the paper. */
    private static final int RANK = 60;

    private static final double SEMANTIC_FLOOR = 0.0;
    private static final double RECENCY = 0.2;
    private static final double TIME = 0.2;
    private static final double PROOF = 0.1;
    /** Reflections and mental models rank above equally similar items. */
    private static final double REFLECTED = 1.05;

    private static final double YEAR = 365;
    private static final double LEAST_RECENCY = 0.1;

    private final Reranker reranker;

    public Recall(Reranker reranker) {
        this.reranker = reranker;
    }

    /** Answers a query within its token limit. */
    public Recalled run(Index index, RecallQuestion question) {
        Ranking ranking = rank(index, question);
        long start = System.nanoTime();
        RecallPayload.Packed packed = RecallPayload.pack(ranking.hits(), question.maxTokens());
        ranking.times().put("packing", System.nanoTime() - start);
        return new Recalled(
                packed.hits(),
                packed.json(),
                packed.tokens(),
                new Trace(ranking.steps(), ranking.hits().size(), ranking.times()));
    }

    /** All hits, the best first, without packing. */
    public List<RecallHit> findHits(Index index, RecallQuestion question) {
        return rank(index, question).hits();
    }

    private record Ranking(List<RecallHit> hits, Map<Retriever, List<Trace.Step>> steps, Map<String, Long> times) {}

    private Ranking rank(Index index, RecallQuestion question) {
        return index.read(question.filter(), view -> new Run(view, question).ranking());
    }

    /** One query on one view. */
    private final class Run {
        private final View view;
        private final RecallQuestion question;
        private final Map<Retriever, List<Trace.Step>> steps = new EnumMap<>(Retriever.class);
        private final Map<String, Long> times = new LinkedHashMap<>();
        private final Map<Integer, RecallCandidate> pool = new HashMap<>();
        private View.@Nullable Weights weights;

        Run(View view, RecallQuestion question) {
            this.view = view;
            this.question = question;
        }

        Ranking ranking() {
            int limit = question.budget().candidates();
            List<SearchHit> semantic = retrieve(Retriever.SEMANTIC, () -> semantic(limit));
            List<SearchHit> keyword = retrieve(Retriever.KEYWORD, () -> keyword(limit));
            Graph graph = new Graph(view);
            retrieve(Retriever.GRAPH, () -> graph.from(semantic.isEmpty() ? keyword : semantic, limit));
            TimeSpan window = question.window();
            if (window != null) {
                retrieve(
                        Retriever.TEMPORAL, () -> new TemporalRetriever(view, window).closest(this::similarity, limit));
            }
            long start = System.nanoTime();
            List<RecallHit> hits = hits();
            times.put("ranking", System.nanoTime() - start);
            return new Ranking(hits, steps, times);
        }

        /** Runs a retriever; its ranks are fused, its results are traced. */
        private List<SearchHit> retrieve(Retriever retriever, Supplier<List<SearchHit>> search) {
            if (!question.arms().contains(retriever)) {
                return List.of();
            }
            long start = System.nanoTime();
            List<SearchHit> found = search.get();
            var ranks = new ArrayList<Trace.Step>(found.size());
            for (int i = 0; i < found.size(); i++) {
                SearchHit result = found.get(i);
                RecallCandidate candidate = pool.computeIfAbsent(result.row(), this::candidate);
                candidate.addRank(retriever, i + 1, result.score(), 1.0 / (RANK + i + 1));
                ranks.add(new Trace.Step(candidate.item().id(), i + 1, result.score()));
            }
            steps.put(retriever, ranks);
            times.put(retriever.code(), System.nanoTime() - start);
            return found;
        }

        private List<SearchHit> semantic(int limit) {
            Embedding embedding = question.embedding();
            return embedding == null ? List.of() : view.nearest(embedding, SEMANTIC_FLOOR, limit);
        }

        private List<SearchHit> keyword(int limit) {
            View.Weights bm25 = view.bm25(question.text());
            weights = bm25;
            return bm25.best(limit);
        }

        private RecallCandidate candidate(int row) {
            return new RecallCandidate(row, view.item(row), similarity(row));
        }

        private double similarity(int row) {
            Embedding embedding = question.embedding();
            return embedding == null || !question.arms().contains(Retriever.SEMANTIC)
                    ? Double.NaN
                    : view.similarity(row, embedding);
        }

        private List<RecallHit> hits() {
            View.Weights bm25 = weights;
            List<RecallCandidate> candidates = pool.values().stream()
                    .map(candidate -> bm25 == null ? candidate : candidate.withBm25(bm25.of(candidate.row())))
                    .sorted(Comparator.comparing(candidate -> candidate.item().id()))
                    .toList();
            double[] scores = reranker.scores(question, candidates);
            var hits = new ArrayList<RecallHit>(scores.length);
            for (int i = 0; i < scores.length; i++) {
                RecallCandidate candidate = candidates.get(i);
                hits.add(RecallHit.of(candidate.item(), scores[i] * boost(candidate.item()), candidate.ranks()));
            }
            hits.sort(Comparator.comparingDouble(RecallHit::score).reversed().thenComparing(RecallHit::id));
            return hits;
        }

        private double boost(Item item) {
            TimeSpan window = question.window();
            double time = window == null || !question.arms().contains(Retriever.TEMPORAL)
                    ? 0.5
                    : TemporalRetriever.proximity(item, window);
            double proof = Math.clamp(0.5 + Math.log(item.proofCount()) / 10, 0, 1);
            return (isReflected(item) ? REFLECTED : 1)
                    * (1 + RECENCY * (recency(item) - 0.5))
                    * (1 + TIME * (time - 0.5))
                    * (1 + PROOF * (proof - 0.5));
        }

        private static boolean isReflected(Item item) {
            return item.kind() == ItemKind.REFLECTION || item.type() == FactType.MENTAL_MODEL;
        }

        private double recency(Item item) {
            Instant now = question.now();
            Instant date = item.date();
            if (now == null || date == null) {
                return 0.5;
            }
            double days = Duration.between(date, now).toMillis()
                    / (double) Duration.ofDays(1).toMillis();
            return Math.clamp(1 - days / YEAR, LEAST_RECENCY, 1);
        }
    }
}
