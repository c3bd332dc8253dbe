package dev.parley.bench;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.AgentSkill;
import dev.parley.domain.definition.Definitions;
import dev.parley.domain.definition.Disclosed;
import dev.parley.domain.definition.Skill;
import dev.parley.domain.definition.SkillTool;
import dev.parley.domain.definition.SkillVersion;
import dev.parley.domain.definition.ToolAccess;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.definition.Toolset;
import dev.parley.domain.permission.PermissionRule;
import dev.parley.platform.embedding.HybridSearch;
import dev.parley.platform.embedding.MiniLm;
import dev.parley.platform.json.JsonMappers;
import dev.parley.platform.worker.Cancellation;
import dev.parley.tools.ToolCallContext;
import dev.parley.tools.kind.ToolKind;
import dev.parley.tools.script.ScriptKind;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Cost of a catalogue of 1,000 tools and 200 skills: choosing tools for a model call, a search, and a script tool. */
final class BigCatalogue {
    private static final int TOOLS = 1_000;
    private static final int SKILLS = 200;
    private static final int CHOICES = 20_000;
    private static final int SEARCHES = 500;
    private static final int SCRIPTS = 20;
    private static final Duration PAUSE = Duration.ofSeconds(2);
    private static final Duration PYTHON_PAUSE = Duration.ofSeconds(15);
    private static final List<String> WORDS =
            List.of(("invoices weather letters trains hotels databases pictures recipes meetings parcels contracts "
                            + "songs gardens bicycles exams taxes servers patients flights maps")
                    .split(" "));
    private static final List<String> VERBS =
            List.of("Finds Writes Counts Sends Repairs Books Cancels Compares Prints Archives".split(" "));

    private final SplittableRandom random;
    private final Map<String, ToolSpec> tools;
    private final Map<String, Skill> skills;

    BigCatalogue(long seed) {
        random = new SplittableRandom(seed);
        tools = IntStream.range(0, TOOLS)
                .mapToObj(this::tool)
                .collect(Collectors.toMap(ToolSpec::name, Function.identity()));
        skills = IntStream.range(0, SKILLS)
                .mapToObj(this::skill)
                .collect(Collectors.toMap(Skill::name, Function.identity()));
    }

    private String words() {
        return VERBS.get(random.nextInt(VERBS.size())) + " " + WORDS.get(random.nextInt(WORDS.size())) + " for "
                + WORDS.get(random.nextInt(WORDS.size()));
    }

    private ToolSpec tool(int i) {
        return new ToolSpec(
                "tool" + i,
                words(),
                "{\"type\":\"object\"}",
                ToolEffect.IDEMPOTENT,
                Duration.ofMinutes(1),
                null,
                "1.0.0",
                ToolAccess.READ);
    }

    private Skill skill(int i) {
        List<SkillTool> skillTools = IntStream.range(0, 3)
                .mapToObj(j -> SkillTool.of("tool" + (i * 3 + j)))
                .toList();
        return new Skill(
                "skill" + i, "1.0.0", words(), "# How to\n" + words(), null, skillTools, List.of(), List.of(), null);
    }

    /** The definitions, found by name as in a real catalogue. */
    private record Catalogue(
            List<ToolSpec> tools,
            List<Skill> skills,
            Map<String, ToolSpec> toolsByName,
            Map<String, Skill> skillsByName)
            implements Definitions {
        @Override
        public List<Agent> agents() {
            return List.of();
        }

        @Override
        public Optional<Skill> skill(String name, @Nullable String version) {
            return Optional.ofNullable(skillsByName.get(name));
        }

        @Override
        public Optional<ToolSpec> tool(String name, @Nullable String version) {
            return Optional.ofNullable(toolsByName.get(name));
        }

        @Override
        public List<PermissionRule> permissions() {
            return List.of();
        }
    }

    /** Measures and prints. */
    void measure() throws Exception {
        System.out.printf("a catalogue of %d tools and %d skills, target: 10 ms%n", TOOLS, SKILLS);
        choose();
        search();
        script(ScriptKind.javascript(), "return args.a + args.b", PAUSE);
        String python = System.getenv("PARLEY_PYTHON");
        if (python == null) {
            System.out.println("no Python: PARLEY_PYTHON is not set");
        } else {
            script(ScriptKind.python(Path.of(python)), "return args['a'] + args['b']", PYTHON_PAUSE);
        }
    }

    private void choose() {
        Agent agent = Agent.of("bench", "scripted", "any", "")
                .withSkills(List.of(new AgentSkill(AgentSkill.ALL, null, 0, null)));
        var definitions = new Catalogue(List.copyOf(tools.values()), List.copyOf(skills.values()), tools, skills);
        var micros = new Histogram(3);
        int toolCount = 0;
        for (int i = 0; i < CHOICES; i++) {
            var loaded = new Disclosed(
                    List.of(new SkillVersion("skill" + random.nextInt(SKILLS), "1.0.0")),
                    List.of("tool" + (900 + random.nextInt(100))));
            long from = System.nanoTime();
            toolCount = Toolset.of(agent, definitions, loaded).specs().size();
            if (i > CHOICES / 2) {
                micros.recordValue((System.nanoTime() - from) / 1_000);
            }
        }
        Bench.print("choosing the %d tools of a request".formatted(toolCount), micros);
    }

    private void search() {
        var finder = new HybridSearch(MiniLm.SHARED);
        List<String> texts = tools.values().stream()
                .map(tool -> tool.name() + ": " + tool.description())
                .toList();
        long from = System.nanoTime();
        finder.find(words(), texts, Function.identity(), 8);
        System.out.printf(
                "    the first search, with its %d vectors: %d ms%n", TOOLS, (System.nanoTime() - from) / 1_000_000);
        var micros = new Histogram(3);
        for (int i = 0; i < SEARCHES; i++) {
            String question = words() + " " + i;
            Bench.time(micros, () -> finder.find(question, texts, Function.identity(), 8));
        }
        Bench.print("a search", micros);
    }

    /** @param pause between calls: the next process is ready by then */
    private static void script(ScriptKind kind, String script, Duration pause) throws Exception {
        try (kind) {
            var runner = kind.runner(JsonMappers.shared().valueToTree(Map.of("script", script)));
            long from = System.nanoTime();
            run(runner);
            System.out.printf(
                    "a tool that is a script in %s, target: 150 ms warm; the first call: %d ms%n",
                    kind.name(), (System.nanoTime() - from) / 1_000_000);
            var micros = new Histogram(3);
            for (int i = 0; i < SCRIPTS; i++) {
                Thread.sleep(pause);
                Bench.time(micros, () -> run(runner));
            }
            Bench.print("a call", micros);
        }
    }

    private static void run(ToolKind.Runner runner) throws Exception {
        UUID id = Ids.of("bench");
        var call = new ToolCallContext(
                id,
                id,
                RecordKey.of("bench"),
                id,
                id,
                id,
                0,
                1,
                "bench",
                null,
                Instant.now().plusSeconds(60),
                List.of(),
                null,
                new Cancellation());
        runner.run(call, JsonMappers.tree("{\"a\":1,\"b\":2}"));
    }
}
