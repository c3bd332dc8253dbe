package dev.parley.bench;

import dev.parley.platform.database.Database;
import dev.parley.platform.database.Databases;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.database.Transaction;
import dev.parley.platform.embedded.DataFolder;
import dev.parley.platform.embedded.DatabaseLogin;
import dev.parley.platform.embedded.EmbeddedPostgresServer;
import io.micronaut.context.ApplicationContext;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.annotation.TypeDef;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.DataType;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code parley bench rows}: throughput of batch inserts, by method. */
@Command(
        name = "rows",
        mixinStandardHelpOptions = true,
        description =
                "How fast batches of rows, like those of parts of messages, get into a table: one statement in which"
                        + " each column is an array, as the views are written, or batches of Micronaut Data. Each way writes the"
                        + " same rows twice, so that half of them replace others.")
final class BenchRows implements Callable<Integer> {
    private static final String REWRITTEN = "reWriteBatchedInserts=true";

    @Option(
            names = "--rows",
            defaultValue = "200000",
            paramLabel = "N",
            description = "rows of each run (${DEFAULT-VALUE})")
    private int rows;

    @Option(
            names = "--batch",
            defaultValue = "500",
            paramLabel = "N",
            description = "rows of a batch (${DEFAULT-VALUE})")
    private int batch;

    @Option(
            names = "--runs",
            defaultValue = "3",
            paramLabel = "N",
            description = "runs of each method (${DEFAULT-VALUE})")
    private int runs;

    @Spec
    private CommandSpec spec;

    private static final String INTO = """
            INSERT INTO bench_part_t AS old (part_id, message_id, idx, kind, content, tool_name, tool_call_id, search_text, created_ts,
              aggregate_version)
            """;

    private static final String REPLACING = """
            ON CONFLICT (part_id) DO UPDATE SET message_id = excluded.message_id, idx = excluded.idx, kind = excluded.kind,
              content = excluded.content, tool_name = excluded.tool_name, tool_call_id = excluded.tool_call_id,
              search_text = excluded.search_text, created_ts = excluded.created_ts, aggregate_version = excluded.aggregate_version
            WHERE old.aggregate_version <= excluded.aggregate_version
            """;

    /** A row like those of {@code sessions.agent_message_part_t}. */
    @MappedEntity("bench_part_t")
    record PartRow(
            @Id UUID partId,
            UUID messageId,
            int idx,
            String kind,
            @TypeDef(type = DataType.JSON) String content,
            String toolName,
            String toolCallId,
            String searchText,
            Instant createdTs,
            long aggregateVersion) {
        static List<PartRow> ofRange(int from, int count, long version) {
            return IntStream.range(from, from + count)
                    .mapToObj(number -> of(number, version))
                    .toList();
        }

        private static PartRow of(int number, long version) {
            return new PartRow(
                    new UUID(number * 0x9E3779B97F4A7C15L, number),
                    new UUID(number / 4, 1),
                    number % 4,
                    "tool",
                    "{\"text\":\"the %d. thing that was said, and some more of it to be as long as people write\"}"
                            .formatted(number),
                    "weather",
                    "call_" + number,
                    "the %d. thing that was said, and some more of it to be as long as people write".formatted(number),
                    Instant.ofEpochSecond(1_780_000_000L + number),
                    version);
        }
    }

    /** Writes rows with Micronaut Data: one statement, executed for each row of a batch. */
    @JdbcRepository(dialect = Dialect.POSTGRES)
    interface PartRows extends GenericRepository<PartRow, UUID> {
        @Query(INTO + """
                VALUES (:partId, :messageId, :idx, :kind, CAST(:content AS jsonb), :toolName, :toolCallId, :searchText, :createdTs, :aggregateVersion)
                """ + REPLACING)
        void upsertAll(List<PartRow> rows);
    }

    private static final String TABLE = """
            DROP TABLE IF EXISTS bench_part_t;
            CREATE TABLE bench_part_t (part_id uuid PRIMARY KEY, message_id uuid NOT NULL, idx int NOT NULL, kind text NOT NULL,
              content jsonb NOT NULL, tool_name text, tool_call_id text, search_text text,
              search tsvector GENERATED ALWAYS AS (to_tsvector('simple', search_text)) STORED, created_ts timestamptz NOT NULL,
              aggregate_version bigint NOT NULL)
            """;

    private static final String ARRAYS = INTO + """
            SELECT part_id, message_id, idx, kind, content::jsonb, tool_name, tool_call_id, search_text, created_ts, aggregate_version
            FROM unnest(?::uuid[], ?::uuid[], ?::int4[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::timestamptz[], ?::int8[])
              AS new (part_id, message_id, idx, kind, content, tool_name, tool_call_id, search_text, created_ts, aggregate_version)
            """ + REPLACING;

    @Override
    public Integer call() throws Exception {
        if (rows < 2 || batch < 1 || runs < 1) {
            throw new ParameterException(spec.commandLine(), "--rows takes 2 or more, --batch and --runs 1 or more");
        }
        try (TemporaryFolder folder = TemporaryFolder.create();
                DataFolder data = DataFolder.open(folder.path().resolve("data"));
                EmbeddedPostgresServer postgres = EmbeddedPostgresServer.start(data, 0)) {
            Bench.printMachine();
            System.out.printf("%,d rows a run, %d at once in a transaction%n", rows, batch);
            DatabaseLogin login = postgres.database().owner();
            var rewritten = new DatabaseLogin(login.url() + "?" + REWRITTEN, login.user(), login.password());
            try (ApplicationContext plain = ApplicationContext.run(Databases.pool(login));
                    ApplicationContext rewriting = ApplicationContext.run(Databases.pool(rewritten))) {
                for (int run = 0; run < runs; run++) {
                    measure(plain, "one statement, each column an array", BenchRows::arrays);
                    measure(plain, "a batch of Micronaut Data", batch(plain));
                    measure(rewriting, "a batch of Micronaut Data, " + REWRITTEN, batch(rewriting));
                }
            }
        }
        return 0;
    }

    private static BiConsumer<Transaction, List<PartRow>> batch(ApplicationContext context) {
        PartRows repository = context.getBean(PartRows.class);
        return (transaction, parts) -> repository.upsertAll(parts);
    }

    private static void arrays(Transaction transaction, List<PartRow> parts) {
        transaction.update(
                ARRAYS,
                column(parts, row -> row.partId().toString(), String[]::new),
                column(parts, row -> row.messageId().toString(), String[]::new),
                column(parts, PartRow::idx, Integer[]::new),
                column(parts, PartRow::kind, String[]::new),
                column(parts, PartRow::content, String[]::new),
                column(parts, PartRow::toolName, String[]::new),
                column(parts, PartRow::toolCallId, String[]::new),
                column(parts, PartRow::searchText, String[]::new),
                column(parts, row -> row.createdTs().toString(), String[]::new),
                column(parts, PartRow::aggregateVersion, Long[]::new));
    }

    private static <T> T[] column(List<PartRow> parts, Function<PartRow, T> value, IntFunction<T[]> array) {
        return parts.stream().map(value).toArray(array);
    }

    private void measure(ApplicationContext context, String method, BiConsumer<Transaction, List<PartRow>> write) {
        Database database = context.getBean(Database.class);
        database.in(Tenant.NONE, transaction -> transaction.update(TABLE));
        var time = Stopwatch.ofProcess();
        for (long version = 1; version <= 2; version++) {
            for (int from = 0; from < rows / 2; from += batch) {
                List<PartRow> parts = PartRow.ofRange(from, Math.min(batch, rows / 2 - from), version);
                database.in(Tenant.NONE, transaction -> {
                    write.accept(transaction, parts);
                    return parts.size();
                });
            }
        }
        System.out.printf(
                "%-56s %,9.0f rows/s   %5.1f µs a row of this process%n",
                method, rows / time.seconds(), time.cpuSeconds() * 1e6 / rows);
    }
}
