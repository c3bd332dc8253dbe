package dev.parley.eval;

import dev.parley.domain.Sha256;
import dev.parley.language.time.TimeExpressions;
import dev.parley.memory.recall.EvidenceReranker;
import dev.parley.memory.recall.Recall;
import dev.parley.memory.recall.RecallEffort;
import dev.parley.memory.recall.RecallQuestion;
import dev.parley.memory.recall.Reranker;
import dev.parley.memory.recall.Retriever;
import dev.parley.memory.search.Embedding;
import dev.parley.memory.search.Index;
import dev.parley.memory.search.Indexes;
import dev.parley.memory.search.Item;
import dev.parley.memory.search.ItemKind;
import dev.parley.memory.search.SearchFilter;
import dev.parley.platform.embedding.Embedder;
import dev.parley.platform.embedding.MiniLm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.lucene.util.Version;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code parley eval recall}: the share of the evidence among the top k turns. */
@Command(
        name = "recall",
        mixinStandardHelpOptions = true,
        description =
                "The share of the evidence that recall finds in long conversations, beside plain BM25. A file has a JSON"
                        + " object a line: {\"type\":\"turn\",\"bank\",\"id\",\"session\",\"speaker\",\"time\",\"text\"} or"
                        + " {\"type\":\"query\",\"bank\",\"id\",\"text\",\"category\",\"gold\":[turn ids]}.")
final class EvalRecall implements Callable<Integer> {
    @Parameters(arity = "1..*", paramLabel = "FILE", description = ".jsonl, or .jsonl.gz")
    private List<Path> files = List.of();

    @Option(
            names = "--k",
            split = ",",
            defaultValue = "5,10,20,50",
            paramLabel = "N",
            description = "number of top turns that count (${DEFAULT-VALUE})")
    private List<Integer> cuts = List.of();

    @Option(names = "--ablate", description = "also each arm alone, each arm off, and no reranking")
    private boolean ablate;

    @Option(names = "--no-vectors", description = "searches by keywords only: takes seconds instead of minutes")
    private boolean noVectors;

    @Option(names = "--cache", paramLabel = "DIR", description = "folder to cache vectors in")
    private @Nullable Path cache;

    @Spec
    private CommandSpec spec;

    /** A configuration of recall. */
    private record Variant(Set<Retriever> retrievers, Reranker reranker, Set<ItemKind> kinds) {}

    private static final String PLAIN = "plain BM25 over turns";
    private static final String FULL = "recall";

    @Override
    public Integer call() throws Exception {
        Embedder embedder = MiniLm.SHARED;
        System.out.printf(
                "java %s, lucene %s, vectors %s, %d cores, nothing is random%n",
                Runtime.version(),
                Version.LATEST,
                noVectors ? "none" : embedder.name(),
                Runtime.getRuntime().availableProcessors());
        for (Path file : files) {
            evaluate(file, embedder);
        }
        return 0;
    }

    private void evaluate(Path file, Embedder embedder) throws Exception {
        List<EvalConversation> conversations = read(file);
        System.out.printf(
                "%n%s, SHA-256 %s: %d banks, %d turns, %d queries%n",
                file.getFileName(),
                Sha256.hex(Files.readAllBytes(file)),
                conversations.size(),
                conversations.stream()
                        .mapToInt(conversation -> conversation.messages().size())
                        .sum(),
                conversations.stream()
                        .mapToInt(conversation -> conversation.queries().size())
                        .sum());
        Embeddings embeddings = noVectors ? null : new Embeddings(embedder, cache);
        long start = System.nanoTime();
        Map<String, EvidenceRecall> shares = measure(conversations, embeddings);
        Set<EvalConversation.Query> firstHalf = conversations.subList(0, conversations.size() / 2).stream()
                .flatMap(conversation -> conversation.queries().stream())
                .collect(Collectors.toCollection(() -> Collections.newSetFromMap(new IdentityHashMap<>())));
        print(shares, firstHalf, System.nanoTime() - start);
    }

    private Map<String, EvidenceRecall> measure(List<EvalConversation> conversations, @Nullable Embeddings embeddings)
            throws IOException {
        Map<String, Variant> variants = variants();
        var shares = new LinkedHashMap<String, EvidenceRecall>();
        shares.put(PLAIN, new EvidenceRecall(cuts));
        variants.keySet().forEach(name -> shares.put(name, new EvidenceRecall(cuts)));
        Path folder = Files.createTempDirectory("parley-eval");
        // The indexes delete their files when they are closed.
        try (var indexes = new Indexes(folder)) {
            for (EvalConversation conversation : conversations) {
                measurePlain(indexes, conversation, Objects.requireNonNull(shares.get(PLAIN)));
                measureVariants(indexes, conversation, variants, shares, embeddings);
            }
        } finally {
            Files.deleteIfExists(folder);
        }
        return shares;
    }

    private List<EvalConversation> read(Path file) throws IOException {
        try {
            return EvalConversation.read(file);
        } catch (IllegalArgumentException e) {
            throw parameterError(String.valueOf(e.getMessage()));
        } catch (NoSuchFileException e) {
            throw parameterError("the file " + file + " does not exist");
        }
    }

    private ParameterException parameterError(String reason) {
        return new ParameterException(spec.commandLine(), reason);
    }

    private Map<String, Variant> variants() {
        var evidence = new EvidenceReranker();
        var variants = new LinkedHashMap<String, Variant>();
        variants.put(FULL, new Variant(Retriever.ALL, evidence, Set.of()));
        if (ablate) {
            for (Retriever retriever : Retriever.values()) {
                variants.put(
                        "without " + retriever.code(),
                        new Variant(EnumSet.complementOf(EnumSet.of(retriever)), evidence, Set.of()));
            }
            variants.put("what was said alone", new Variant(Retriever.ALL, evidence, Set.of(ItemKind.TURN)));
            variants.put("facts and observations alone", new Variant(Retriever.ALL, evidence, Set.of(ItemKind.UNIT)));
            variants.put("ranks fused, not reranked", new Variant(Retriever.ALL, Reranker.NONE, Set.of()));
            // The other retrievers need results of these, or a time.
            for (Retriever retriever : List.of(Retriever.SEMANTIC, Retriever.KEYWORD)) {
                variants.put(
                        retriever.code() + " alone, not reranked",
                        new Variant(EnumSet.of(retriever), Reranker.NONE, Set.of()));
            }
        }
        return variants;
    }

    /** The baseline: whole messages, by keywords only. */
    private static void measurePlain(Indexes indexes, EvalConversation conversation, EvidenceRecall shares) {
        Index index = indexes.of("plain " + conversation.bank());
        for (EvalConversation.Message message : conversation.messages()) {
            index.put(Item.of(message.id(), ItemKind.TURN, null, message.text(), Instant.EPOCH)
                    .from(message.id(), null));
        }
        var recall = new Recall(Reranker.NONE);
        for (EvalConversation.Query query : conversation.queries()) {
            RecallQuestion question = RecallQuestion.of(query.text(), null).by(Set.of(Retriever.KEYWORD));
            shares.add(
                    query,
                    recall.findHits(index, question).stream()
                            .map(hit -> Objects.requireNonNull(hit.source()))
                            .toList());
        }
        indexes.drop("plain " + conversation.bank());
    }

    private static void measureVariants(
            Indexes indexes,
            EvalConversation conversation,
            Map<String, Variant> variants,
            Map<String, EvidenceRecall> shares,
            @Nullable Embeddings embeddings)
            throws IOException {
        Index index = indexes.of(conversation.bank());
        var bank = new EvalBank(conversation, index, embeddings, MiniLm.SHARED.dimensions());
        Instant now = conversation.messages().stream()
                .flatMap(message -> Stream.ofNullable(message.time()))
                .max(Instant::compareTo)
                .orElse(Instant.EPOCH);
        for (EvalConversation.Query query : conversation.queries()) {
            RecallQuestion question = RecallQuestion.of(query.text(), embedding(query.text(), embeddings))
                    .with(RecallEffort.HIGH, RecallQuestion.TOKENS)
                    .at(
                            null,
                            TimeExpressions.window(query.text(), now, ZoneOffset.UTC)
                                    .orElse(null));
            variants.forEach((name, variant) ->
                    Objects.requireNonNull(shares.get(name)).add(query, evidence(index, question, variant, bank)));
        }
        System.out.printf("%s: %,d units%n", conversation.bank(), bank.units());
        indexes.drop(conversation.bank());
    }

    /** The messages that recall finds, the best first. */
    private static List<String> evidence(Index index, RecallQuestion question, Variant variant, EvalBank bank) {
        var filter = SearchFilter.NONE.kinds(variant.kinds());
        return new Recall(variant.reranker())
                .findHits(index, question.by(variant.retrievers()).within(filter)).stream()
                        .flatMap(bank::evidence)
                        .toList();
    }

    private static @Nullable Embedding embedding(String text, @Nullable Embeddings embeddings) throws IOException {
        if (embeddings == null) {
            return null;
        }
        embeddings.embed(List.of(text));
        return new Embedding(MiniLm.SHARED.name(), embeddings.of(text));
    }

    private void print(Map<String, EvidenceRecall> shares, Set<EvalConversation.Query> firstHalf, long nanos) {
        System.out.println(EvidenceRecall.line("share of the evidence among the first", List.of())
                        .stripTrailing() + " " + cuts);
        shares.forEach((name, recall) -> {
            System.out.println(EvidenceRecall.line(name, recall.of(_ -> true)));
            System.out.println(
                    EvidenceRecall.line("  first half of the conversations", recall.of(firstHalf::contains)));
            System.out.println(EvidenceRecall.line("  second half", recall.of(query -> !firstHalf.contains(query))));
        });
        EvidenceRecall full = Objects.requireNonNull(shares.get(FULL));
        full.categories()
                .forEach(category -> System.out.println(EvidenceRecall.line(
                        "  " + category, full.of(query -> query.category().equals(category)))));
        System.out.printf("retaining and asking took %.1f s%n", nanos / 1e9);
    }
}
