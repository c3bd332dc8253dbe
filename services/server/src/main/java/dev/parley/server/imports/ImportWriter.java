package dev.parley.server.imports;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.server.client.ApiClient;
import dev.parley.server.imports.ImportClient.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes imported data to a server. Keys are derived from the source, so that a repeated import finds what the first one created. A dry
 * run only reads.
 */
final class ImportWriter implements Destination, AutoCloseable {
    private static final String CHANGED =
            "its key is in use for something else: it has changed where it comes from, or was begun here; what is here stays."
                    + " To have both, import into another project (--project)";
    static final String DIFFERS = "it is here, and otherwise; what is here stays";
    private static final Set<String> SET_BY_SERVER = Set.of("source", "updatedAt", "active", "schema");
    private static final int MAX_TITLE = 200;
    private static final int MAX_RULES = 100;
    private static final int MAX_ATTEMPTS = 10;
    private static final int ACCEPTED = 202;
    private static final Duration RETRY_DELAY = Duration.ofMillis(500);
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Equality of JSON where numbers are compared by value. */
    private static final Comparator<JsonNode> NUMBERS = (one, other) -> one.equals(other)
                    || one.isNumber() && other.isNumber() && one.decimalValue().compareTo(other.decimalValue()) == 0
            ? 0
            : 1;

    private final ImportClient client;
    private final Report report;
    private final boolean dry;
    private final Map<String, Boolean> agents = new HashMap<>();
    private final BankWriter banks;
    private final Map<String, Set<String>> rules = new HashMap<>();
    private String project;
    private boolean isThere;

    /** @param project to import into, unless the source has projects of its own */
    ImportWriter(ImportClient client, String project, Report report, boolean dry) {
        this.client = client;
        this.project = project;
        this.report = report;
        this.dry = dry;
        this.banks = new BankWriter(client, report, dry);
    }

    @Override
    public Report report() {
        return report;
    }

    /** A path in the project, which has to exist. */
    private String at(String rest) throws IOException, InterruptedException {
        if (!isThere) {
            Answer there = client.ask("/v1/projects/" + ApiClient.encoded(project));
            if (!there.isSuccess()) {
                throw new MovingInException(there.detail() + ". Name an existing project with --project.");
            }
            isThere = true;
        }
        return "/v1/projects/" + ApiClient.encoded(project) + "/" + rest;
    }

    // ---- projects

    @Override
    public boolean project(ObjectNode body) throws IOException, InterruptedException {
        reset();
        isThere = true;
        String name = body.path("name").asText();
        if (dry) {
            JsonNode there = found(body.path("externalKey").asText());
            report.found(there == null, "projects");
            project = there == null ? "not-made" : there.path("key").asText();
            return true;
        }
        Answer made = client.ask("POST", "/v1/projects", body, null, null);
        if (!made.isSuccess()) {
            report.refused("projects", made.detail(), name);
            return false;
        }
        if (made.json().hasNonNull("archivedAt")) {
            report.notTaken("projects", "it is archived here: restore it, and import again", name);
            return false;
        }
        report.found(made.status() == 201, "projects");
        project = made.json().path("key").asText();
        return true;
    }

    private @Nullable JsonNode found(String externalKey) throws IOException, InterruptedException {
        @Nullable String cursor = "";
        while (cursor != null) {
            Answer page = checked(client.ask("/v1/projects?includeArchived=true&limit=100" + cursor));
            for (JsonNode one : page.json().path("data")) {
                if (one.path("externalKey").asText().equals(externalKey)) {
                    return one;
                }
            }
            cursor = page.next();
        }
        return null;
    }

    /** Drops what is cached of a project. */
    private void reset() throws IOException, InterruptedException {
        banks.reset();
        agents.clear();
        rules.clear();
    }

    // ---- definitions

    @Override
    public void define(Kind kind, ObjectNode body) throws IOException, InterruptedException {
        String name = body.path("name").asText();
        String version = kind.hasVersions()
                ? "?version=" + ApiClient.encoded(body.path("version").asText("1.0.0"))
                : "";
        if (kind == Kind.AGENTS && !body.hasNonNull("model")) {
            body.put("model", defaultModel());
        }
        String path = at(kind.path() + "/" + ApiClient.encoded(name));
        Answer before = client.ask(path + version);
        if (before.isSuccess() && before.json().path("source").asText().equals("project")) {
            compare(kind, name, before, client.ask("PUT", path + "?dryRun=true", body, "If-Match", "*"));
            return;
        }
        Answer made = client.ask("POST", at(kind.path()) + (dry ? "?dryRun=true" : ""), body, null, null);
        if (dry && made.isMissing()) { // a dry run creates no project to define it in
            report.made(kind.path());
        } else {
            report.made(kind.path(), name, made);
        }
    }

    private void compare(Kind kind, String name, Answer before, Answer after) {
        if (after.isSuccess() && fields(after.json()).equals(NUMBERS, fields(before.json()))) {
            report.there(kind.path());
        } else {
            report.notTaken(kind.path(), after.isSuccess() ? DIFFERS : after.detail(), name);
        }
    }

    private static JsonNode fields(JsonNode definition) {
        return definition instanceof ObjectNode object
                ? object.deepCopy().remove(SET_BY_SERVER)
                : NullNode.getInstance();
    }

    /** The default agent's model, for agents without one. */
    private String defaultModel() throws IOException, InterruptedException {
        return client.ask(at("agents/default")).json().path("model").asText("scripted/scripted");
    }

    private boolean isAgent(String name) throws IOException, InterruptedException {
        Boolean known = agents.get(name);
        if (known == null) {
            known = client.ask(at("agents/" + ApiClient.encoded(name))).isSuccess();
            agents.put(name, known);
        }
        return known;
    }

    // ---- sessions

    @Override
    public void conversation(Conversation conversation) throws IOException, InterruptedException {
        String key = conversation.key();
        if (conversation.messages().isEmpty()) {
            report.notTaken("sessions", "nothing was said in it that a model was told", key);
            return;
        }
        String reference = Destination.digest(conversation.format() + "\n" + conversation.messages());
        Answer there = client.ask(at("sessions/" + ApiClient.encoded(key)));
        if (there.isSuccess()) {
            if (isOf(conversation, reference, there.json().path("epoch").asLong())) {
                report.there("sessions");
            } else {
                report.notTaken("sessions", CHANGED, key);
            }
            return;
        }
        if (dry) {
            report.made("sessions");
            return;
        }
        created(conversation, made(conversation, reference));
    }

    private void created(Conversation conversation, Answer made) throws IOException, InterruptedException {
        String key = conversation.key();
        if (made.code().equals("session_exists")) {
            report.notTaken("sessions", CHANGED, key);
            return;
        }
        if (!made.isSuccess() || made.status() == ACCEPTED) {
            String reason = made.isSuccess() ? "the server has not taken it in yet: import again" : made.detail();
            report.refused("sessions", reason, key);
            return;
        }
        // A duplicate request gets the response of the first one, even where the session was deleted since.
        if (client.ask(at("sessions/" + ApiClient.encoded(key))).isMissing()) {
            report.notTaken("sessions", "it was imported before and deleted here, and stays deleted", key);
            return;
        }
        made.json()
                .path("leftOut")
                .forEach(one -> report.notTaken("messages", one.path("reason").asText(), key));
        finish(conversation);
        report.made("sessions");
    }

    /** Retries while a new agent is not known to sessions yet. A refusal is final for its idempotency key, so each attempt has its own. */
    private Answer made(Conversation conversation, String reference) throws IOException, InterruptedException {
        ObjectNode body = body(conversation);
        int refused = 0;
        for (int i = 1; ; i++) {
            String key = attempt(reference, refused);
            Answer made = client.ask("POST", at("conversations"), body, "Idempotency-Key", key);
            boolean isUnknown = made.code().equals("unknown_agent");
            if (i == MAX_ATTEMPTS || !isUnknown && made.status() != ACCEPTED) {
                return made;
            }
            refused += isUnknown ? 1 : 0;
            Thread.sleep(RETRY_DELAY);
        }
    }

    private static String attempt(String reference, int number) {
        return number == 0 ? reference : reference + "~" + number;
    }

    /** Whether a session began with this conversation: the id of its first message is derived from the request. */
    private boolean isOf(Conversation conversation, String reference, long epoch)
            throws IOException, InterruptedException {
        Answer messages = client.ask(at("sessions/" + ApiClient.encoded(conversation.key()) + "/messages?limit=1"));
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
            body.put("title", Names.clipped(title.strip(), MAX_TITLE));
        }
        String agent = conversation.agent();
        if (agent != null && isAgent(agent)) {
            body.put("agent", agent);
        } else if (agent != null) {
            report.note(
                    "sessions",
                    "there is no agent '" + agent + "' here: the default agent goes on",
                    conversation.key());
        }
        return body;
    }

    private void finish(Conversation conversation) throws IOException, InterruptedException {
        String path = at("sessions/" + ApiClient.encoded(conversation.key()));
        if (!conversation.rules().isEmpty()) {
            ObjectNode body = JSON.createObjectNode();
            conversation.rules().stream().limit(MAX_RULES).forEach(body.withArray("rules")::add);
            report.accepted("rules", conversation.key(), client.ask("PUT", path + "/permissions", body, null, null));
        }
        if (conversation.archived()) {
            report.accepted("sessions", conversation.key(), client.ask("POST", path + "/archive", null, null, null));
        }
    }

    // ---- rules

    @Override
    public void rule(ObjectNode rule, boolean ofHost) throws IOException, InterruptedException {
        String path = ofHost ? "/v1/permissions" : at("permissions");
        Set<String> there = rules.get(path);
        if (there == null) {
            there = rulesAt(path);
            rules.put(path, there);
        }
        if (!there.add(words(rule))) {
            report.there("rules");
        } else if (dry) {
            report.made("rules");
        } else {
            report.made("rules", rule.path("tool").asText(), client.ask("POST", path, rule, null, null));
        }
    }

    private Set<String> rulesAt(String path) throws IOException, InterruptedException {
        var found = new HashSet<String>();
        @Nullable String cursor = "";
        while (cursor != null) {
            Answer page = client.ask(path + "?limit=200" + cursor);
            page.json().path("data").forEach(one -> found.add(words(one)));
            cursor = page.next();
        }
        return found;
    }

    private static String words(JsonNode rule) {
        return String.join(
                "\n",
                rule.path("agent").asText(""),
                rule.path("tool").asText(),
                rule.path("pattern").asText("**"),
                rule.path("action").asText());
    }

    // ---- files

    @Override
    public void file(String path, byte[] content) throws IOException, InterruptedException {
        String where = at("files/content?path=" + ApiClient.encoded(path));
        Answer there = client.ask(where);
        if (there.isSuccess()) {
            if (Arrays.equals(there.bytes(), content)) {
                report.there("files");
            } else {
                report.notTaken("files", DIFFERS, path);
            }
        } else if (dry) {
            report.made("files");
        } else {
            report.made("files", path, client.ask("PUT", where, content, null, null));
        }
    }

    // ---- memory

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

    private static Answer checked(Answer answer) {
        if (!answer.isSuccess()) {
            throw new MovingInException(answer.detail());
        }
        return answer;
    }

    @Override
    public void close() {
        client.close();
    }
}
