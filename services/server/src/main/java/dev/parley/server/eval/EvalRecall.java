package dev.parley.server.eval;

import dev.parley.domain.memory.FactType;
import dev.parley.domain.memory.Passages;
import dev.parley.memory.recall.Arm;
import dev.parley.memory.recall.Budget;
import dev.parley.memory.recall.Evidence;
import dev.parley.memory.recall.Hit;
import dev.parley.memory.recall.Question;
import dev.parley.memory.recall.Recall;
import dev.parley.memory.recall.Reranker;
import dev.parley.memory.search.Index;
import dev.parley.memory.search.Indexes;
import dev.parley.memory.search.Item;
import dev.parley.memory.search.Kind;
import dev.parley.memory.search.Meaning;
import dev.parley.memory.search.Place;
import dev.parley.platform.embedding.Embedder;
import dev.parley.platform.embedding.MiniLm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.apache.lucene.util.Version;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code parley eval recall}: which share of the evidence is found among the first so many turns. */
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
            description = "among so many turns (${DEFAULT-VALUE})")
    private List<Integer> cuts = List.of();

    @Option(names = "--ablate", description = "also each arm alone, each arm off, and no reranking")
    private boolean ablate;

    @Option(names = "--no-vectors", description = "find by words alone: takes seconds instead of minutes")
    private boolean noVectors;

    @Option(names = "--cache", paramLabel = "DIR", description = "where vectors are kept for the next time")
    private @Nullable Path cache;

    /** One way to ask. */
    private record Way(Set<Arm> arms, Reranker reranker) {}

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
        List<Conversation> conversations = Conversation.read(file);
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
        System.out.printf(
                "%n%s, SHA-256 %s: %d banks, %d turns, %d queries%n",
                file.getFileName(),
                HexFormat.of().formatHex(digest),
                conversations.size(),
                conversations.stream().mapToInt(one -> one.messages().size()).sum(),
                conversations.stream().mapToInt(one -> one.queries().size()).sum());
        Embeddings embeddings = noVectors ? null : embeddings(embedder, conversations);
        long begun = System.nanoTime();
        Map<String, Way> ways = ways();
        var shares = new LinkedHashMap<String, Shares>();
        shares.put(PLAIN, new Shares(cuts));
        ways.keySet().forEach(way -> shares.put(way, new Shares(cuts)));
        Path folder = Files.createTempDirectory("parley-eval");
        // A file of vectors goes when it is closed, and then the folder.
        try (var indexes = new Indexes(folder)) {
            for (Conversation conversation : conversations) {
                plain(indexes, conversation, Objects.requireNonNull(shares.get(PLAIN)));
                ask(indexes, conversation, ways, shares, embeddings);
            }
        } finally {
            Files.deleteIfExists(folder);
        }
        print(shares, System.nanoTime() - begun);
    }

    private Embeddings embeddings(Embedder embedder, List<Conversation> conversations) throws IOException {
        var embeddings = new Embeddings(embedder, cache);
        embeddings.make(conversations.stream()
                .flatMap(one -> Stream.concat(
                        one.messages().stream()
                                .flatMap(message -> items(message).stream())
                                .map(Item::words),
                        one.queries().stream().map(Conversation.Query::text)))
                .toList());
        return embeddings;
    }

    private Map<String, Way> ways() {
        var evidence = new Evidence();
        var ways = new LinkedHashMap<String, Way>();
        ways.put(FULL, new Way(Arm.ALL, evidence));
        if (ablate) {
            for (Arm arm : Arm.values()) {
                ways.put("without " + arm.code(), new Way(EnumSet.complementOf(EnumSet.of(arm)), evidence));
            }
            ways.put("ranks fused, not reranked", new Way(Arm.ALL, Reranker.NONE));
            // The others start from what these found, or from a time.
            for (Arm arm : List.of(Arm.SEMANTIC, Arm.KEYWORD)) {
                ways.put(arm.code() + " alone, not reranked", new Way(EnumSet.of(arm), Reranker.NONE));
            }
        }
        return ways;
    }

    /** Whole messages, by their words alone. */
    private static void plain(Indexes indexes, Conversation conversation, Shares shares) {
        Index index = indexes.of("plain " + conversation.bank());
        for (Conversation.Message message : conversation.messages()) {
            index.put(Item.of(message.id(), Kind.TURN, null, message.text(), Instant.EPOCH)
                    .from(message.id(), null));
        }
        var recall = new Recall(Reranker.NONE);
        for (Conversation.Query query : conversation.queries()) {
            Question question = Question.of(query.text(), null).by(Set.of(Arm.KEYWORD));
            shares.add(query, sources(recall.found(index, question)));
        }
        indexes.drop("plain " + conversation.bank());
    }

    private static void ask(
            Indexes indexes,
            Conversation conversation,
            Map<String, Way> ways,
            Map<String, Shares> shares,
            @Nullable Embeddings embeddings) {
        Index index = indexes.of(conversation.bank());
        for (Conversation.Message message : conversation.messages()) {
            for (Item item : items(message)) {
                index.put(item, meanings(item.words(), embeddings));
            }
        }
        for (Conversation.Query query : conversation.queries()) {
            Meaning[] meaning = meanings(query.text(), embeddings);
            Question question = Question.of(query.text(), meaning.length == 0 ? null : meaning[0])
                    .with(Budget.HIGH, Question.TOKENS);
            ways.forEach((name, way) -> Objects.requireNonNull(shares.get(name))
                    .add(query, sources(new Recall(way.reranker()).found(index, question.by(way.arms())))));
        }
        indexes.drop(conversation.bank());
    }

    /** What can be found of a message: its pieces. */
    private static List<Item> items(Conversation.Message message) {
        var items = new ArrayList<Item>();
        List<String> pieces = Passages.of(message.text());
        for (int i = 0; i < pieces.size(); i++) {
            FactType type = message.isAgents() ? FactType.EXPERIENCE : FactType.WORLD;
            items.add(Item.of("%s/%04d".formatted(message.id(), i), Kind.TURN, type, pieces.get(i), Instant.EPOCH)
                    .from(message.id(), new Place(message.session(), message.position()))
                    .in(message.isNamed() ? message.speaker() : null)
                    .at(null, message.time()));
        }
        return items;
    }

    private static Meaning[] meanings(String text, @Nullable Embeddings embeddings) {
        return embeddings == null
                ? new Meaning[0]
                : new Meaning[] {new Meaning(MiniLm.SHARED.name(), embeddings.of(text))};
    }

    private static List<String> sources(List<Hit> hits) {
        return hits.stream().map(hit -> Objects.requireNonNull(hit.source())).toList();
    }

    private void print(Map<String, Shares> shares, long nanos) {
        System.out.println(
                Shares.line("share of the evidence among the first", List.of()).stripTrailing() + " " + cuts);
        shares.forEach((name, its) -> System.out.println(Shares.line(name, its.all())));
        Shares full = Objects.requireNonNull(shares.get(FULL));
        full.categories().forEach(category -> System.out.println(Shares.line("  " + category, full.of(category))));
        System.out.printf("asking took %.1f s%n", nanos / 1e9);
    }
}
