package dev.parley.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.agents.model.ModelCheck;
import dev.parley.agents.model.ModelFailure;
import dev.parley.agents.model.ModelProviders;
import dev.parley.agents.model.scripted.ScriptedProvider;
import dev.parley.agents.model.scripted.ScriptedTranscriber;
import dev.parley.agents.model.wire.StoredKeys;
import dev.parley.channels.bots.BotChecks;
import dev.parley.channels.contract.Finding;
import dev.parley.domain.definition.Agent;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.config.ConfigException;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.config.bot.BotConfig;
import dev.parley.platform.config.secret.Secrets;
import dev.parley.platform.http.limit.HttpGate;
import dev.parley.platform.json.JsonMappers;
import dev.parley.platform.power.PowerGrants;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code parley doctor}: reports missing or unhealthy parts. */
@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        description = "Reports what is missing or unhealthy, and how to fix it.")
final class DoctorCommand implements Callable<Integer> {
    private static final ObjectMapper JSON = JsonMappers.stored();
    private static final long MIN_FREE_BYTES = 2L << 30;
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    @ParentCommand
    private Parley parent;

    @Spec
    private CommandSpec spec;

    private int problems;

    @Override
    public Integer call() throws IOException, InterruptedException {
        ok("Java " + Runtime.version());
        ParleyConfig config;
        try {
            config = parent.config();
            ok("settings: " + config.agents().size() + " agents");
        } catch (ConfigException e) {
            problem("settings: " + e.getMessage());
            return 1;
        }
        checkDisk(config.data());
        checkFiles(config);
        listPowers(config.powers());
        checkModels(config);
        checkBots(config);
        Optional<Infrastructure.Running> running = Infrastructure.Running.on(config.data());
        if (running.isEmpty()) {
            problem("no process runs on " + config.data() + "; start it with ./parley dev");
        } else {
            checkServer(config, running.get());
        }
        print(problems == 0 ? "All is well." : problems + (problems == 1 ? " problem." : " problems."));
        return problems == 0 ? 0 : 1;
    }

    private void checkDisk(Path data) throws IOException {
        Path existing = data.toAbsolutePath();
        while (!Files.exists(existing)) {
            existing = Objects.requireNonNull(existing.getParent(), "the root of the file system exists");
        }
        FileStore store = Files.getFileStore(existing);
        long free = store.getUsableSpace();
        String text = "disk: %.1f GiB free for %s".formatted(free / (double) (1L << 30), data);
        if (free < MIN_FREE_BYTES) {
            problem(text + "; Kafka and Postgres stop when it is full");
        } else {
            ok(text);
        }
        if (!Files.isWritable(existing)) {
            problem(existing + " cannot be written; set PARLEY_DATA to another folder");
        }
    }

    /** The limit of this command is that of a server started in the same way. */
    private void checkFiles(ParleyConfig config) {
        HttpGate.filesWarning(config.http().limits())
                .ifPresentOrElse(this::problem, () -> ok("open files: enough are allowed"));
    }

    /** Who has which power. Those that name nobody are no problem: they have the fewest that they can. */
    private void listPowers(PowerGrants powers) {
        powers.all()
                .forEach((power, grant) -> ok("power: %s for the projects [%s] and the hosts [%s]%s"
                        .formatted(
                                power,
                                String.join(", ", grant.projects()),
                                String.join(", ", grant.hosts()),
                                grant.named() ? "" : ", as parley.yml names nobody")));
        powers.warnings().forEach(warning -> print("  ??   " + warning));
    }

    /** Checks each model of an agent with one small call. */
    private void checkModels(ParleyConfig config) throws InterruptedException {
        var blobs = new BlobStore(config.blobs(), BlobStore.MOST);
        var checked = new HashSet<String>();
        try (var providers = ModelProviders.of(
                config,
                System.getenv(),
                StoredKeys.NONE,
                blobs,
                List.of(new ScriptedProvider()),
                List.of(new ScriptedTranscriber()),
                AccessDirectory.NOTHING)) {
            for (Agent agent : config.agents()) {
                if (checked.add(agent.provider() + "/" + agent.model() + agent.apiKeyRef())) {
                    checkModel(providers, agent);
                }
                String transcriber = agent.transcriber().orElse("");
                if (!transcriber.isEmpty() && checked.add("transcriber " + transcriber)) {
                    checkTranscriber(providers, agent.instead(transcriber), transcriber);
                }
            }
        }
    }

    private void checkModel(ModelProviders providers, Agent agent) throws InterruptedException {
        String name = agent.provider() + "/" + agent.model();
        try {
            ok("model: " + name + " answers as " + ModelCheck.call(providers, agent));
        } catch (ModelFailure e) {
            problem("model: %s of the agent '%s': %s, %s"
                    .formatted(name, agent.name(), e.category().code(), e.detail()));
        }
    }

    private void checkTranscriber(ModelProviders providers, Agent agent, String name) throws InterruptedException {
        try {
            ModelCheck.listen(providers, agent);
            ok("transcriber: " + name + " listens");
        } catch (ModelFailure e) {
            problem("transcriber: %s: %s, %s".formatted(name, e.category().code(), e.detail()));
        }
    }

    private void checkBots(ParleyConfig config) throws InterruptedException {
        var secrets = Secrets.ofBots(config, System.getenv());
        for (BotConfig bot : config.bots()) {
            List<Finding> findings =
                    BotChecks.check(bot, secrets, config.tools().plugins());
            String label = bot.kind() + ": '" + bot.name() + "' ";
            boolean isFine = findings.stream().allMatch(Finding::isFine);
            String found = findings.stream()
                    .filter(finding -> isFine || !finding.isFine())
                    .map(Finding::text)
                    .collect(Collectors.joining("; "));
            if (isFine) {
                ok(label + found);
            } else {
                problem(label + found);
            }
        }
    }

    private void checkServer(ParleyConfig config, Infrastructure.Running running) throws InterruptedException {
        ok("server: " + running.url() + ", process " + running.pid());
        Optional<String> key = readKey(config);
        try (HttpClient http = HttpClient.newBuilder().connectTimeout(TIMEOUT).build()) {
            checkHealth(http, running);
            if (key.isPresent()) {
                checkOverview(http, running, key.get());
                checkCredentials(http, running, key.get());
            }
        } catch (IOException e) {
            problem("the server does not answer: " + e);
        }
    }

    /** The administrator's key; if there is none, reports it. */
    private Optional<String> readKey(ParleyConfig config) {
        String configured = config.adminKey();
        if (configured != null) {
            return Optional.of(configured);
        }
        Path file = config.data().resolve("admin.key");
        try {
            return Optional.of(Files.readString(file).strip());
        } catch (IOException e) {
            problem("no admin key: %s cannot be read (%s); run this as the user of the server, or set PARLEY_ADMIN_KEY"
                    .formatted(file, e.getClass().getSimpleName()));
            return Optional.empty();
        }
    }

    private void checkHealth(HttpClient http, Infrastructure.Running running) throws IOException, InterruptedException {
        JsonNode parts =
                JSON.readTree(get(http, running.url() + "/health/ready", null)).path("parts");
        parts.fieldNames().forEachRemaining(name -> {
            String problem = parts.get(name).path("problem").asText("");
            if (problem.isEmpty()) {
                String moving = parts.get(name).path("moving").asText("");
                ok(moving.isEmpty() ? name : name + ": " + moving);
            } else {
                problem(name + ": " + problem);
            }
        });
    }

    private void checkOverview(HttpClient http, Infrastructure.Running running, String key)
            throws IOException, InterruptedException {
        JsonNode overview = JSON.readTree(get(http, running.url() + "/v1/ops/overview", key));
        if (overview.has("code")) {
            problem("the API refuses the key: " + overview.path("detail").asText());
        } else {
            ok("views: " + overview);
        }
    }

    /** Checks that all credentials can be opened; reports nothing for a process without the role that stores them. */
    private void checkCredentials(HttpClient http, Infrastructure.Running running, String key)
            throws IOException, InterruptedException {
        JsonNode keys = JSON.readTree(get(http, running.url() + "/v1/credentials/sealing", key))
                .path("keys");
        long total = 0;
        long lost = 0;
        for (JsonNode masterKey : keys) {
            long sealed = masterKey.path("credentials").asLong();
            total += sealed;
            if (sealed > 0 && !masterKey.path("present").asBoolean()) {
                lost += sealed;
                problem(
                        ("credentials: the master key %s is not in PARLEY_MASTER_KEY, and %d credentials sealed with it cannot be opened;"
                                        + " add it there, or ask their owners to set them again")
                                .formatted(masterKey.path("id").asText(), sealed));
            }
        }
        if (!keys.isEmpty() && lost == 0) {
            ok("credentials: all " + total + " can be opened");
        }
    }

    private static String get(HttpClient http, String url, @Nullable String key)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(url)).timeout(TIMEOUT);
        if (key != null) {
            request.header("Authorization", "Bearer " + key);
        }
        return http.send(request.GET().build(), BodyHandlers.ofString()).body();
    }

    private void ok(String text) {
        print("  ok   " + text);
    }

    private void problem(String text) {
        problems++;
        print("  !!   " + text);
    }

    private void print(String text) {
        spec.commandLine().getOut().println(text);
    }
}
