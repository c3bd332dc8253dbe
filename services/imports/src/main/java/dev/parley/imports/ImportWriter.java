package dev.parley.imports;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.imports.ImportClient.Answer;
import dev.parley.language.text.Clip;
import dev.parley.platform.json.JsonMappers;
import dev.parley.server.client.ApiClient;
import dev.parley.server.client.CommandException;
import dev.parley.server.client.JsonEquality;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes imported data to a server. Keys are derived from the source, so that a repeated import finds what the first
 * one created. A dry run only reads.
 */
final class ImportWriter implements Destination, AutoCloseable {
    private static final String CHANGED =
            "its key is in use for something else: it has changed in the source, or was started here; what is here"
                    + " stays. To have both, import into another project (--project)";
    static final String DIFFERS = "it exists here with different content, which stays";
    private static final Set<String> SET_BY_SERVER = Set.of("source", "updatedAt", "active", "schema");
    private static final int MAX_TITLE = 200;
    private static final int MAX_RULES = 100;
    private static final int MAX_ATTEMPTS = 10;
    private static final int ACCEPTED = 202;
    private static final Duration RETRY_DELAY = Duration.ofMillis(500);
    private static final ObjectMapper JSON = JsonMappers.stored();

    private final ImportClient client;
    private final Report report;
    private final boolean dry;
    private final Map<String, Boolean> agents = new HashMap<>();
    private final ImportedMemoryWriter banks;
    private final Map<String, Set<String>> rules = new HashMap<>();
    private String project;
    private boolean projectExists;

    /** @param project to import into, unless the source has projects of its own */
    ImportWriter(ImportClient client, String project, Report report, boolean dry) {
        this.client = client;
        this.project = project;
        this.report = report;
        this.dry = dry;
        this.banks = new ImportedMemoryWriter(client, report, dry);
    }

    @Override
    public Report report() {
        return report;
    }

    /**
     * A path in the project.
     *
     * @throws CommandException when the project does not exist
     */
    private String inProject(String path) throws IOException, InterruptedException {
        if (!projectExists) {
            Answer found = client.fetch("/v1/projects/" + ApiClient.encode(project));
            if (!found.isSuccess()) {
                throw new CommandException(found.detail() + ". Name an existing project with --project.");
            }
            projectExists = true;
        }
        return "/v1/projects/" + ApiClient.encode(project) + "/" + path;
    }

    @Override
    public boolean project(ObjectNode body) throws IOException, InterruptedException {
        reset();
        projectExists = true;
        String name = body.path("name").asText();
        if (dry) {
            simulateProject(body.path("externalKey").asText());
            return true;
        }
        Answer created = client.send("POST", "/v1/projects", body);
        if (!created.isSuccess()) {
            report.countRefused("projects", created.detail(), name);
            return false;
        }
        if (created.json().hasNonNull("archivedAt")) {
            report.countSkipped("projects", "it is archived here: restore it, and import again", name);
            return false;
        }
        report.countCreatedOrExisting(created.status() == 201, "projects");
        project = created.json().path("key").asText();
        return true;
    }

    /** Continues in the project if it exists, otherwise under a key that has nothing. */
    private void simulateProject(String externalKey) throws IOException, InterruptedException {
        JsonNode existing = findProject(externalKey);
        report.countCreatedOrExisting(existing == null, "projects");
        project = existing == null ? "not-made" : existing.path("key").asText();
    }

    private @Nullable JsonNode findProject(String externalKey) throws IOException, InterruptedException {
        @Nullable String cursor = "";
        while (cursor != null) {
            Answer page = client.fetch("/v1/projects?includeArchived=true&limit=100" + cursor);
            if (!page.isSuccess()) {
                throw new CommandException(page.detail());
            }
            for (JsonNode listed : page.json().path("data")) {
                if (listed.path("externalKey").asText().equals(externalKey)) {
                    return listed;
                }
            }
            cursor = page.nextPage();
        }
        return null;
    }

    /** Drops the caches of a project. */
    private void reset() throws IOException, InterruptedException {
        banks.reset();
        agents.clear();
        rules.clear();
    }

    @Override
    public void define(Kind kind, ObjectNode body) throws IOException, InterruptedException {
        String name = body.path("name").asText();
        String version = kind.hasVersions()
                ? "?version=" + ApiClient.encode(body.path("version").asText("1.0.0"))
                : "";
        if (kind == Kind.AGENTS && !body.hasNonNull("model")) {
            body.put("model", defaultModel());
        }
        String path = inProject(kind.path() + "/" + ApiClient.encode(name));
        Answer before = client.fetch(path + version);
        if (before.isSuccess() && before.json().path("source").asText().equals("project")) {
            compare(kind, name, before, client.send("PUT", path + "?dryRun=true", body, "If-Match", "*"));
            return;
        }
        Answer created = client.send("POST", inProject(kind.path()) + (dry ? "?dryRun=true" : ""), body);
        if (dry && created.isMissing()) { // a dry run has not created the project
            report.countCreated(kind.path());
        } else {
            report.countCreated(kind.path(), name, created);
        }
    }

    private void compare(Kind kind, String name, Answer before, Answer after) {
        if (after.isSuccess() && JsonEquality.areEqual(fields(after.json()), fields(before.json()))) {
            report.countExisting(kind.path());
        } else {
            report.countSkipped(kind.path(), after.isSuccess() ? DIFFERS : after.detail(), name);
        }
    }

    private static JsonNode fields(JsonNode definition) {
        return definition instanceof ObjectNode object
                ? object.deepCopy().remove(SET_BY_SERVER)
                : NullNode.getInstance();
    }

    /** The default agent's model, for agents without one. */
    private String defaultModel() throws IOException, InterruptedException {
        return client.fetch(inProject("agents/default")).json().path("model").asText("scripted/scripted");
    }

    private boolean isAgent(String name) throws IOException, InterruptedException {
        Boolean exists = agents.get(name);
        if (exists == null) {
            exists = client.fetch(inProject("agents/" + ApiClient.encode(name))).isSuccess();
            agents.put(name, exists);
        }
        return exists;
    }

    @Override
    public void conversation(Conversation conversation) throws IOException, InterruptedException {
        String key = conversation.key();
        if (conversation.messages().isEmpty()) {
            report.countSkipped("sessions", "it has no messages for a model", key);
            return;
        }
        String reference = ApiClient.idempotencyKey(conversation.format() + "\n" + conversation.messages());
        Answer existing = client.fetch(inProject("sessions/" + ApiClient.encode(key)));
        if (existing.isSuccess()) {
            if (isOf(conversation, reference, existing.json().path("epoch").asLong())) {
                report.countExisting("sessions");
            } else {
                report.countSkipped("sessions", CHANGED, key);
            }
            return;
        }
        if (dry) {
            report.countCreated("sessions");
            return;
        }
        complete(conversation, create(conversation, reference));
    }

    /** Completes a session after the request that creates it. */
    private void complete(Conversation conversation, Answer created) throws IOException, InterruptedException {
        String key = conversation.key();
        if (created.code().equals("session_exists")) {
            report.countSkipped("sessions", CHANGED, key);
            return;
        }
        if (!created.isSuccess() || created.status() == ACCEPTED) {
            String reason = created.isSuccess() ? "the server has not imported it yet: import again" : created.detail();
            report.countRefused("sessions", reason, key);
            return;
        }
        // A duplicate request gets the response of the first one, even where the session was deleted since.
        if (client.fetch(inProject("sessions/" + ApiClient.encode(key))).isMissing()) {
            report.countSkipped("sessions", "it was imported before and deleted here, and stays deleted", key);
            return;
        }
        countLeftOut(created.json().path("leftOut"), key);
        setRulesAndState(conversation);
        report.countCreated("sessions");
    }

    private void countLeftOut(JsonNode messages, String session) {
        for (JsonNode message : messages) {
            report.countSkipped("messages", message.path("reason").asText(), session);
        }
    }

    /**
     * Retries while a new agent is unknown to the sessions. A refusal is final for its idempotency key, so that each
     * attempt has its own.
     */
    private Answer create(Conversation conversation, String reference) throws IOException, InterruptedException {
        ObjectNode body = body(conversation);
        int refused = 0;
        for (int i = 1; ; i++) {
            String key = attempt(reference, refused);
            Answer created = client.send("POST", inProject("sessions/import"), body, "Idempotency-Key", key);
            boolean isUnknown = created.code().equals("unknown_agent");
            if (i == MAX_ATTEMPTS || !isUnknown && created.status() != ACCEPTED) {
                return created;
            }
            refused += isUnknown ? 1 : 0;
            Thread.sleep(RETRY_DELAY);
        }
    }

    private static String attempt(String reference, int number) {
        return number == 0 ? reference : reference + "~" + number;
    }

    /**
     * Whether a session began with this conversation: the id of its first message is derived from the request.
     */
    private boolean isOf(Conversation conversation, String reference, long epoch)
            throws IOException, InterruptedException {
        Answer messages =
                client.fetch(inProject("sessions/" + ApiClient.encode(conversation.key()) + "/messages?limit=1"));
        String first = messages.json().path("data").path(0).path("id").asText();
        var key = new RecordKey(project, conversation.key());
        return IntStream.range(0, MAX_ATTEMPTS)
                .mapToObj(i -> Ids.of("command", key, "conversation", attempt(reference, i)))
                .anyMatch(command -> Ids.of("message", key.sessionId(epoch), command, 0, 0)
                        .toString()
                        .equals(first));
    }

    private ObjectNode body(Conversation conversation) throws IOException, InterruptedException {
        ObjectNode body =
                JSON.createObjectNode().put("format", conversation.format()).put("key", conversation.key());
        body.set("messages", conversation.messages());
        String title = conversation.title();
        if (title != null && !title.isBlank()) {
            body.put("title", Clip.start(title.strip(), MAX_TITLE));
        }
        String agent = conversation.agent();
        if (agent != null && isAgent(agent)) {
            body.put("agent", agent);
        } else if (agent != null) {
            report.note(
                    "sessions",
                    "there is no agent '" + agent + "' here: the default agent continues it",
                    conversation.key());
        }
        return body;
    }

    private void setRulesAndState(Conversation conversation) throws IOException, InterruptedException {
        String path = inProject("sessions/" + ApiClient.encode(conversation.key()));
        if (!conversation.rules().isEmpty()) {
            ObjectNode body = JSON.createObjectNode();
            conversation.rules().stream().limit(MAX_RULES).forEach(body.withArray("rules")::add);
            report.countRefusedIfFailed("rules", conversation.key(), client.send("PUT", path + "/permissions", body));
        }
        if (conversation.archived()) {
            report.countRefusedIfFailed("sessions", conversation.key(), client.send("POST", path + "/archive", null));
        }
    }

    @Override
    public void rule(ObjectNode rule, boolean ofHost) throws IOException, InterruptedException {
        String path = ofHost ? "/v1/permissions" : inProject("permissions");
        Set<String> existing = rules.get(path);
        if (existing == null) {
            existing = rulesAt(path);
            rules.put(path, existing);
        }
        if (!existing.add(identity(rule))) {
            report.countExisting("rules");
        } else if (dry) {
            report.countCreated("rules");
        } else {
            report.countCreated("rules", rule.path("tool").asText(), client.send("POST", path, rule));
        }
    }

    private Set<String> rulesAt(String path) throws IOException, InterruptedException {
        var found = new HashSet<String>();
        client.list(path + "?limit=200").forEach(rule -> found.add(identity(rule)));
        return found;
    }

    private static String identity(JsonNode rule) {
        return String.join(
                "\n",
                rule.path("agent").asText(""),
                rule.path("tool").asText(),
                rule.path("pattern").asText("**"),
                rule.path("action").asText());
    }

    @Override
    public void file(String path, byte[] content) throws IOException, InterruptedException {
        String url = inProject("files/content?path=" + ApiClient.encode(path));
        Answer existing = client.fetch(url);
        if (existing.isSuccess()) {
            if (Arrays.equals(existing.bytes(), content)) {
                report.countExisting("files");
            } else {
                report.countSkipped("files", DIFFERS, path);
            }
        } else if (dry) {
            report.countCreated("files");
        } else {
            report.countCreated("files", path, client.send("PUT", url, content));
        }
    }

    @Override
    public void document(Bank bank, ObjectNode document) throws IOException, InterruptedException {
        banks.document(project, bank, document);
    }

    @Override
    public void directive(Bank bank, String name, String content, int priority)
            throws IOException, InterruptedException {
        banks.directive(project, bank, name, content, priority);
    }

    /** Sends pending documents. */
    void finish() throws IOException, InterruptedException {
        banks.finish();
    }

    @Override
    public void close() {
        client.close();
    }
}
