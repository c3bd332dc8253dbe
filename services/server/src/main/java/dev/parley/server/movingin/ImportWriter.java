package dev.parley.server.movingin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.server.client.ApiClient;
import dev.parley.server.movingin.ImportClient.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Gives what is read to a server. Everything has a key that follows from where it comes from, so that a second import finds what the
 * first one made. A dry one asks what there is, and makes nothing.
 */
final class ImportWriter implements Destination, AutoCloseable {
    private static final String CHANGED =
            "its key is in use for something else: it has changed where it comes from, or was begun here; what is here stays."
                    + " To have both, import into another project (--project)";
    private static final String DIFFERS = "it is here, and otherwise; what is here stays";
    private static final Set<String> SAID = Set.of("source", "updatedAt", "active", "schema");
    private static final int MOST_DOCUMENTS = 50;
    private static final int HEAVIEST_DOCUMENTS = 1 << 19;
    private static final int LONGEST_TITLE = 200;
    private static final int MOST_RULES = 100;
    private static final int MOST_ATTEMPTS = 10;
    private static final int ACCEPTED = 202;
    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Databases write numbers in other ways. */
    private static final Comparator<JsonNode> NUMBERS = (one, other) -> one.equals(other)
                    || one.isNumber() && other.isNumber() && one.decimalValue().compareTo(other.decimalValue()) == 0
            ? 0
            : 1;

    private final ImportClient client;
    private final Report report;
    private final boolean dry;
    private final Map<String, Boolean> agents = new HashMap<>();
    private final Map<Bank, OpenBank> banks = new HashMap<>();
    private final Map<String, Set<String>> rules = new HashMap<>();
    private String project;
    private boolean isThere;

    /** A bank, and what it was given before: ids of documents, and hard rules by name. */
    private record OpenBank(
            @Nullable String id, Set<String> documents, Map<String, String> directives, List<ObjectNode> waiting) {}

    /** @param project that all comes into, unless the source has projects of its own */
    ImportWriter(ImportClient client, String project, Report report, boolean dry) {
        this.client = client;
        this.project = project;
        this.report = report;
        this.dry = dry;
    }

    @Override
    public Report report() {
        return report;
    }

    /** A path in the project, which has to be there. */
    private String at(String rest) throws IOException, InterruptedException {
        if (!isThere) {
            Answer there = client.ask("/v1/projects/" + ApiClient.encoded(project));
            if (!there.isGood()) {
                throw new MovingInException(there.detail() + ". Name one that there is with --project.");
            }
            isThere = true;
        }
        return "/v1/projects/" + ApiClient.encoded(project) + "/" + rest;
    }

    // ---- projects

    @Override
    public boolean project(ObjectNode body) throws IOException, InterruptedException {
        forget();
        isThere = true;
        String name = body.path("name").asText();
        if (dry) {
            JsonNode there = found(body.path("externalKey").asText());
            report(there == null, "projects");
            project = there == null ? "not-made" : there.path("key").asText();
            return true;
        }
        Answer made = client.ask("POST", "/v1/projects", body, null, null);
        if (!made.isGood()) {
            report.refused("projects", made.detail(), name);
            return false;
        }
        if (made.json().hasNonNull("archivedAt")) {
            report.notTaken("projects", "it is archived here: restore it, and import again", name);
            return false;
        }
        report(made.status() == 201, "projects");
        project = made.json().path("key").asText();
        return true;
    }

    private @Nullable JsonNode found(String externalKey) throws IOException, InterruptedException {
        @Nullable String cursor = "";
        while (cursor != null) {
            Answer page = good(client.ask("/v1/projects?includeArchived=true&limit=100" + cursor));
            for (JsonNode one : page.json().path("data")) {
                if (one.path("externalKey").asText().equals(externalKey)) {
                    return one;
                }
            }
            cursor = next(page);
        }
        return null;
    }

    private static @Nullable String next(Answer page) {
        JsonNode next = page.json().path("next");
        return next.isTextual() ? "&cursor=" + ApiClient.encoded(next.asText()) : null;
    }

    private void report(boolean isNew, String kind) {
        if (isNew) {
            report.made(kind);
        } else {
            report.there(kind);
        }
    }

    /** What is known of one project says nothing of the next one. */
    private void forget() throws IOException, InterruptedException {
        finish();
        agents.clear();
        banks.clear();
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
        boolean isThere =
                before.isGood() && before.json().path("source").asText().equals("project");
        if (isThere) {
            Answer same = client.ask("PUT", path + "?dryRun=true", body, "If-Match", "*");
            if (!same.isGood() || !fields(same.json()).equals(NUMBERS, fields(before.json()))) {
                report.notTaken(kind.path(), same.isGood() ? DIFFERS : same.detail(), name);
                return;
            }
            report.there(kind.path());
            return;
        }
        Answer made = client.ask("POST", at(kind.path()) + (dry ? "?dryRun=true" : ""), body, null, null);
        // A dry one makes no project, and so no place for it.
        if (made.isGood() || dry && made.isMissing()) {
            report.made(kind.path());
        } else {
            report.refused(kind.path(), made.detail(), name);
        }
    }

    private static JsonNode fields(JsonNode definition) {
        return definition instanceof ObjectNode object ? object.deepCopy().remove(SAID) : NullNode.getInstance();
    }

    /** An agent without a model has that of the default one. */
    private String defaultModel() throws IOException, InterruptedException {
        return client.ask(at("agents/default")).json().path("model").asText("scripted/scripted");
    }

    private boolean isAgent(String name) throws IOException, InterruptedException {
        Boolean known = agents.get(name);
        if (known == null) {
            known = client.ask(at("agents/" + ApiClient.encoded(name))).isGood();
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
        if (there.isGood()) {
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
        Answer made = made(conversation, reference);
        if (!made.isGood()) {
            if (made.code().equals("session_exists")) {
                report.notTaken("sessions", CHANGED, key);
            } else {
                report.refused("sessions", made.detail(), key);
            }
            return;
        }
        if (made.status() == ACCEPTED) {
            report.refused("sessions", "the server has not taken it in yet: import again", key);
            return;
        }
        // A request that was heard before is answered as it was then.
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

    /** Turns hear of a new agent a moment after it was defined. A refusal is final for its key, so that each attempt has one. */
    private Answer made(Conversation conversation, String reference) throws IOException, InterruptedException {
        ObjectNode body = body(conversation);
        int refused = 0;
        for (int i = 1; ; i++) {
            String key = attempt(reference, refused);
            Answer made = client.ask("POST", at("conversations"), body, "Idempotency-Key", key);
            boolean isUnknown = made.code().equals("unknown_agent");
            if (i == MOST_ATTEMPTS || !isUnknown && made.status() != ACCEPTED) {
                return made;
            }
            refused += isUnknown ? 1 : 0;
            Thread.sleep(PAUSE);
        }
    }

    private static String attempt(String reference, int number) {
        return number == 0 ? reference : reference + "~" + number;
    }

    /** Whether a session began with this conversation: the id of its first message follows from where it comes from. */
    private boolean isOf(Conversation conversation, String reference, long epoch)
            throws IOException, InterruptedException {
        Answer messages = client.ask(at("sessions/" + ApiClient.encoded(conversation.key()) + "/messages?limit=1"));
        String first = messages.json().path("data").path(0).path("id").asText();
        var key = new RecordKey(project, conversation.key());
        return IntStream.range(0, MOST_ATTEMPTS)
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
            body.put("title", Names.clipped(title.strip(), LONGEST_TITLE));
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
            conversation.rules().stream().limit(MOST_RULES).forEach(body.withArray("rules")::add);
            accepted("rules", conversation.key(), client.ask("PUT", path + "/permissions", body, null, null));
        }
        if (conversation.archived()) {
            accepted("sessions", conversation.key(), client.ask("POST", path + "/archive", null, null, null));
        }
    }

    private void accepted(String kind, String example, Answer answer) {
        if (!answer.isGood()) {
            report.refused(kind, answer.detail(), example);
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
            Answer made = client.ask("POST", path, rule, null, null);
            if (made.isGood()) {
                report.made("rules");
            } else {
                report.refused("rules", made.detail(), rule.path("tool").asText());
            }
        }
    }

    private Set<String> rulesAt(String path) throws IOException, InterruptedException {
        var found = new HashSet<String>();
        @Nullable String cursor = "";
        while (cursor != null) {
            Answer page = client.ask(path + "?limit=200" + cursor);
            page.json().path("data").forEach(one -> found.add(words(one)));
            cursor = next(page);
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
        if (there.isGood()) {
            if (Arrays.equals(there.bytes(), content)) {
                report.there("files");
            } else {
                report.notTaken("files", DIFFERS, path);
            }
        } else if (dry) {
            report.made("files");
        } else {
            Answer made = client.ask("PUT", where, content, null, null);
            if (made.isGood()) {
                report.made("files");
            } else {
                report.refused("files", made.detail(), path);
            }
        }
    }

    // ---- memory

    @Override
    public void document(Bank bank, ObjectNode document) throws IOException, InterruptedException {
        OpenBank open = open(bank);
        if (open == null) {
            report.notTaken(
                    "documents",
                    "its bank cannot be opened",
                    document.path("id").asText());
            return;
        }
        String id = open.id();
        boolean isNew = id == null
                || open.documents()
                        .add(Ids.of(
                                        "doc",
                                        UUID.fromString(id),
                                        "named",
                                        document.path("id").asText())
                                .toString());
        report(isNew, "documents");
        if (!dry) {
            open.waiting().add(document);
            long weight = open.waiting().stream()
                    .mapToLong(one -> one.path("text").asText().length())
                    .sum();
            if (open.waiting().size() == MOST_DOCUMENTS || weight > HEAVIEST_DOCUMENTS) {
                give(open);
            }
        }
    }

    /** Gives a bank what waits for it: what it has already changes nothing, another text of the same id takes its place. */
    private void give(OpenBank bank) throws IOException, InterruptedException {
        if (bank.waiting().isEmpty()) {
            return;
        }
        ObjectNode body = JSON.createObjectNode();
        bank.waiting().forEach(body.withArray("documents")::add);
        Answer given = client.ask(
                "POST",
                "/v1/banks/" + bank.id() + "/docs",
                body,
                "Idempotency-Key",
                Destination.digest(body.toString()));
        if (!given.isGood()) {
            report.refused(
                    "documents",
                    given.detail(),
                    bank.waiting().getFirst().path("id").asText());
        }
        for (int i = 0; i < bank.waiting().size(); i++) {
            JsonNode operation = given.json().path("operations").path(i);
            if (operation.path("state").asText().equals("refused")) {
                String example = bank.waiting().get(i).path("id").asText();
                report.refused("documents", operation.path("detail").asText("the bank refused it"), example);
            }
        }
        bank.waiting().clear();
    }

    @Override
    public void directive(Bank bank, String name, String content, int priority)
            throws IOException, InterruptedException {
        OpenBank open = open(bank);
        if (open == null) {
            report.notTaken("directives", "its bank cannot be opened", name);
            return;
        }
        String before = open.directives().get(name);
        if (before != null) {
            if (before.equals(content)) {
                report.there("directives");
            } else {
                report.notTaken("directives", DIFFERS, name);
            }
        } else if (dry) {
            report.made("directives");
        } else {
            ObjectNode body = JSON.createObjectNode().put("content", content).put("priority", priority);
            String path = "/v1/banks/" + open.id() + "/directives/" + ApiClient.encoded(name);
            Answer made = client.ask("PUT", path, body, null, null);
            if (made.isGood()) {
                report.made("directives");
            } else {
                report.refused("directives", made.detail(), name);
            }
        }
    }

    /** A bank with what it has, or null where the caller may not have it. */
    private @Nullable OpenBank open(Bank bank) throws IOException, InterruptedException {
        OpenBank known = banks.get(bank);
        if (known != null || banks.containsKey(bank)) {
            return known;
        }
        OpenBank open = dry ? looked(bank) : opened(bank);
        banks.put(bank, open);
        return open;
    }

    private OpenBank looked(Bank bank) throws IOException, InterruptedException {
        String of = bank.scope().equals("host") ? "" : "&project=" + ApiClient.encoded(project);
        String with = bank.agent() == null ? "" : "&agent=" + ApiClient.encoded(bank.agent());
        Answer found = client.ask("/v1/banks?scope=" + bank.scope() + of + with);
        JsonNode first = found.json().path("data").path(0);
        report(first.isMissingNode(), "banks");
        return first.isMissingNode()
                ? new OpenBank(null, new HashSet<>(), new HashMap<>(), new ArrayList<>())
                : filled(first.path("id").asText());
    }

    private @Nullable OpenBank opened(Bank bank) throws IOException, InterruptedException {
        ObjectNode body = JSON.createObjectNode().put("scope", bank.scope());
        if (!bank.scope().equals("host")) {
            body.put("project", project);
        }
        if (bank.agent() != null) {
            body.put("agent", bank.agent());
        }
        Answer opened = client.ask("POST", "/v1/banks", body, null, null);
        if (!opened.isGood()) {
            report.refused("banks", opened.detail(), bank.scope());
            return null;
        }
        String id = opened.json().path("id").asText();
        report(opened.status() == 201, "banks");
        ObjectNode profile = bank.profile();
        if (opened.status() == 201 && profile != null) {
            accepted("banks", bank.scope(), client.ask("PUT", "/v1/banks/" + id + "/profile", profile, null, null));
        }
        return filled(id);
    }

    private OpenBank filled(String id) throws IOException, InterruptedException {
        var documents = new HashSet<String>();
        @Nullable String cursor = "";
        while (cursor != null) {
            Answer page = client.ask("/v1/banks/" + id + "/docs?fresh=true&limit=100" + cursor);
            page.json().path("data").forEach(one -> documents.add(one.path("id").asText()));
            cursor = next(page);
        }
        var directives = new HashMap<String, String>();
        JsonNode found = client.ask("/v1/banks/" + id + "/directives").json();
        (found.isArray() ? found : found.path("data"))
                .forEach(one -> directives.put(
                        one.path("name").asText(), one.path("content").asText()));
        return new OpenBank(id, documents, directives, new ArrayList<>());
    }

    /** Gives what waits still. */
    void finish() throws IOException, InterruptedException {
        for (OpenBank bank : banks.values()) {
            if (bank != null) {
                give(bank);
            }
        }
    }

    private static Answer good(Answer answer) {
        if (!answer.isGood()) {
            throw new MovingInException(answer.detail());
        }
        return answer;
    }

    @Override
    public void close() {
        client.close();
    }
}
