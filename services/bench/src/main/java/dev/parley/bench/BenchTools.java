package dev.parley.bench;

import dev.parley.domain.Ids;
import dev.parley.domain.permission.PermissionAction;
import dev.parley.domain.permission.PermissionRule;
import dev.parley.domain.permission.Permissions;
import dev.parley.domain.permission.RuleLevel;
import dev.parley.domain.permission.Subject;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Sql;
import dev.parley.platform.database.Tenant;
import dev.parley.server.Instance;
import dev.parley.tools.files.Author;
import dev.parley.tools.files.FileData;
import dev.parley.tools.files.FilePath;
import dev.parley.tools.files.FileVersion;
import dev.parley.tools.files.Precondition;
import dev.parley.tools.files.Workspace;
import dev.parley.tools.files.Workspaces;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code parley bench tools}: latency of permission decisions, file versions and the catalogue. */
@Command(
        name = "tools",
        mixinStandardHelpOptions = true,
        description =
                "Decisions about tool calls by many rules, the tools of a request and a search in a big catalogue, a script, and versions"
                        + " of a file in a workspace. One thread.")
final class BenchTools implements Callable<Integer> {
    private static final List<String> TOOLS = List.of("read", "write", "shell", "web_fetch", PermissionRule.ANY);
    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    private static final int SECOND = 1_000_000_000;
    private static final int LINES = 20_480;
    private static final int READS = 200;
    private static final FilePath FILE = FilePath.file("/bench.txt");
    private static final Author AUTHOR = new Author.Person("bench");

    @Option(
            names = "--rules",
            defaultValue = "10000",
            paramLabel = "N",
            description = "permission rules (${DEFAULT-VALUE})")
    private int rules;

    @Option(
            names = "--edits",
            defaultValue = "1000",
            paramLabel = "N",
            description = "one-line edits of a file of 1 MB; 0 for none (${DEFAULT-VALUE})")
    private int edits;

    @Option(
            names = "--seconds",
            defaultValue = "10",
            paramLabel = "N",
            description = "length of each measurement (${DEFAULT-VALUE})")
    private int seconds;

    @Option(names = "--seed", defaultValue = "1", paramLabel = "N", description = "random seed (${DEFAULT-VALUE})")
    private long seed;

    @Override
    public Integer call() throws Exception {
        Bench.printMachine();
        var random = new SplittableRandom(seed);
        List<PermissionRule> ruleSet = rules(random);
        System.out.printf("%d rules, seed %d, target: p99 5 ms%n", ruleSet.size(), seed);
        measure("a path", ruleSet, () -> call("write", Subject.Kind.PATH, path(random) + "/file.txt"));
        measure("a command line of three commands", ruleSet, () -> call("shell", Subject.Kind.COMMAND, line(random)));
        measure("a long URL", ruleSet, () -> call("web_fetch", Subject.Kind.URL, url(random)));
        new BigCatalogue(seed).measure();
        if (edits > 0) {
            Bench.run("", this::measureFiles);
        }
        return 0;
    }

    private List<PermissionRule> rules(SplittableRandom random) {
        var ruleSet = new ArrayList<>(Permissions.BUILTIN);
        while (ruleSet.size() < rules) {
            String tool = TOOLS.get(random.nextInt(TOOLS.size()));
            PermissionAction action = PermissionAction.values()[random.nextInt(3)];
            RuleLevel level = random.nextBoolean() ? RuleLevel.HOST : RuleLevel.PROJECT;
            ruleSet.add(new PermissionRule(
                    Ids.of(seed, ruleSet.size()),
                    level,
                    null,
                    tool,
                    pattern(tool, random),
                    action,
                    false,
                    null,
                    "bench"));
        }
        return ruleSet;
    }

    private static String pattern(String tool, SplittableRandom random) {
        return switch (tool) {
            case "shell" -> word(random) + " *";
            case "web_fetch" -> "https://" + word(random) + ".example.org/**/" + word(random) + "*";
            default -> path(random) + "/**/*" + word(random);
        };
    }

    private static String word(SplittableRandom random) {
        return "x" + Integer.toString(random.nextInt(36 * 36), 36);
    }

    private static String path(SplittableRandom random) {
        return "/" + word(random) + "/" + word(random);
    }

    private static String line(SplittableRandom random) {
        return "sudo " + word(random) + " -r x && sh -c '" + word(random) + " y' | " + word(random);
    }

    private static String url(SplittableRandom random) {
        return "https://" + word(random) + ".example.org" + ("/" + word(random)).repeat(900);
    }

    private static Permissions.Call call(String tool, Subject.Kind kind, String value) {
        return new Permissions.Call("default", tool, "@write", Subject.of(kind, value));
    }

    /** The first half warms up. */
    private void measure(String subject, List<PermissionRule> ruleSet, Supplier<Permissions.Call> calls) {
        var micros = new Histogram(3);
        long start = System.nanoTime();
        long end = start + (long) seconds * SECOND;
        long warmUpEnd = start + (long) seconds * SECOND / 2;
        for (long now = start; now < end; now = System.nanoTime()) {
            long from = System.nanoTime();
            Permissions.decide(ruleSet, calls.get(), NOW);
            if (now > warmUpEnd) {
                micros.recordValue((System.nanoTime() - from) / 1_000);
            }
        }
        Bench.print("a decision about " + subject, micros);
    }

    /** Edits a file line by line, and reads its versions. */
    private void measureFiles(Instance instance) {
        var random = new SplittableRandom(seed);
        Workspace workspace =
                instance.beans().getBean(Workspaces.class).of(AccessDirectory.DEFAULT_HOST, Ids.of("bench", seed));
        String text = IntStream.range(0, LINES)
                .mapToObj(_ -> "%016x %016x %016x\n".formatted(random.nextLong(), random.nextLong(), random.nextLong()))
                .collect(Collectors.joining());
        FileVersion first = workspace.write(FILE, FileData.of(text), null, null, Precondition.NONE, AUTHOR);
        measureEdits(workspace, text.length(), random);
        measureReads("reading version %d".formatted(edits / 2), () -> workspace.read(first.file(), edits / 2));
        measureReads("reading any version", () -> workspace.read(first.file(), 1 + random.nextInt(edits)));
        long bytes = new Sql(instance.beans().getBean(Database.class))
                .as(Tenant.NONE)
                .query("SELECT pg_total_relation_size('tools.file_version_t')", row -> row.next() ? row.getLong(1) : 0);
        System.out.printf("    all versions take %.1f MiB%n", bytes / 1024.0 / 1024);
    }

    private void measureEdits(Workspace workspace, int length, SplittableRandom random) {
        var micros = new Histogram(3);
        for (int i = 0; i < edits; i++) {
            int offset = random.nextInt(LINES) * (length / LINES);
            String replacement = "edit %06d".formatted(i);
            UnaryOperator<String> edit =
                    text -> text.substring(0, offset) + replacement + text.substring(offset + replacement.length());
            Bench.time(micros, () -> workspace.edit(FILE, edit, Precondition.NONE, AUTHOR));
        }
        System.out.printf(
                "a file of %d bytes with %d edits of a line, target: 200 ms for version %d%n",
                length, edits, edits / 2);
        Bench.print("an edit", micros);
    }

    private static void measureReads(String label, Bench.Operation<RuntimeException> read) {
        var micros = new Histogram(3);
        for (int i = 0; i < READS; i++) {
            Bench.time(micros, read);
        }
        Bench.print(label, micros);
    }
}
