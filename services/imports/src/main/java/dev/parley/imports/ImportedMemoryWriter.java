package dev.parley.imports;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.domain.Ids;
import dev.parley.imports.Destination.Bank;
import dev.parley.imports.ImportClient.Answer;
import dev.parley.platform.json.JsonMappers;
import dev.parley.server.client.ApiClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes imported memory to the banks of a server: documents in batches of at most 50, and directives. */
final class ImportedMemoryWriter {
    private static final int MAX_DOCUMENTS = 50;
    private static final int MAX_CHARACTERS = 1 << 19;
    private static final ObjectMapper JSON = JsonMappers.stored();

    private final ImportClient client;
    private final Report report;
    private final boolean dry;
    private final Map<Bank, @Nullable OpenBank> banks = new HashMap<>();

    /** A bank with the ids of its documents, its directives by name, and the pending documents. */
    private record OpenBank(
            @Nullable String id, Set<String> documents, Map<String, String> directives, List<ObjectNode> pending) {
        static OpenBank missing() {
            return new OpenBank(null, new HashSet<>(), new HashMap<>(), new ArrayList<>());
        }

        /** Adds the id of a document; returns whether it is new to the bank. */
        boolean addId(ObjectNode document) {
            String name = document.path("id").asText();
            return id == null
                    || documents.add(Ids.of("doc", Ids.parse(id), "named", name).toString());
        }

        boolean isBatchFull() {
            return pending.size() == MAX_DOCUMENTS
                    || pending.stream()
                                    .mapToLong(document ->
                                            document.path("text").asText().length())
                                    .sum()
                            > MAX_CHARACTERS;
        }
    }

    ImportedMemoryWriter(ImportClient client, Report report, boolean dry) {
        this.client = client;
        this.report = report;
        this.dry = dry;
    }

    /** Adds a document to the next batch of a bank. */
    void document(String project, Bank bank, ObjectNode document) throws IOException, InterruptedException {
        OpenBank open = open(project, bank);
        if (open == null) {
            report.countSkipped(
                    "documents",
                    "its bank cannot be opened",
                    document.path("id").asText());
            return;
        }
        report.countCreatedOrExisting(open.addId(document), "documents");
        if (!dry) {
            open.pending().add(document);
            if (open.isBatchFull()) {
                send(open);
            }
        }
    }

    /** Sends the pending documents. A document replaces one of the same id with another text. */
    private void send(OpenBank bank) throws IOException, InterruptedException {
        if (bank.pending().isEmpty()) {
            return;
        }
        ObjectNode body = JSON.createObjectNode();
        bank.pending().forEach(body.withArray("documents")::add);
        Answer answer = client.send(
                "POST",
                "/v1/banks/" + bank.id() + "/docs",
                body,
                "Idempotency-Key",
                ApiClient.idempotencyKey(body.toString()));
        if (!answer.isSuccess()) {
            report.countRefused(
                    "documents",
                    answer.detail(),
                    bank.pending().getFirst().path("id").asText());
        }
        reportRefused(bank.pending(), answer.json().path("operations"));
        bank.pending().clear();
    }

    private void reportRefused(List<ObjectNode> documents, JsonNode operations) {
        for (int i = 0; i < documents.size(); i++) {
            JsonNode operation = operations.path(i);
            if (operation.path("state").asText().equals("refused")) {
                String example = documents.get(i).path("id").asText();
                report.countRefused("documents", operation.path("detail").asText("the bank refused it"), example);
            }
        }
    }

    /** Sets a directive of a bank, unless it has one of this name. */
    void directive(String project, Bank bank, String name, String content, int priority)
            throws IOException, InterruptedException {
        OpenBank open = open(project, bank);
        if (open == null) {
            report.countSkipped("directives", "its bank cannot be opened", name);
            return;
        }
        String before = open.directives().get(name);
        if (before != null) {
            if (before.equals(content)) {
                report.countExisting("directives");
            } else {
                report.countSkipped("directives", ImportWriter.DIFFERS, name);
            }
        } else if (dry) {
            report.countCreated("directives");
        } else {
            ObjectNode body = JSON.createObjectNode().put("content", content).put("priority", priority);
            String path = "/v1/banks/" + open.id() + "/directives/" + ApiClient.encode(name);
            report.countCreated("directives", name, client.send("PUT", path, body));
        }
    }

    /** A bank with its content, or null when the server refuses it. */
    private @Nullable OpenBank open(String project, Bank bank) throws IOException, InterruptedException {
        OpenBank cached = banks.get(bank);
        if (cached != null || banks.containsKey(bank)) {
            return cached;
        }
        OpenBank open = dry ? find(project, bank) : create(project, bank);
        banks.put(bank, open);
        return open;
    }

    private OpenBank find(String project, Bank bank) throws IOException, InterruptedException {
        String ofProject = bank.scope().equals("host") ? "" : "&project=" + ApiClient.encode(project);
        String ofAgent = bank.agent() == null ? "" : "&agent=" + ApiClient.encode(bank.agent());
        Answer found = client.fetch("/v1/banks?scope=" + bank.scope() + ofProject + ofAgent);
        JsonNode first = found.json().path("data").path(0);
        report.countCreatedOrExisting(first.isMissingNode(), "banks");
        return first.isMissingNode()
                ? OpenBank.missing()
                : read(first.path("id").asText());
    }

    /** Creates the bank, or finds an existing one. */
    private @Nullable OpenBank create(String project, Bank bank) throws IOException, InterruptedException {
        ObjectNode body = JSON.createObjectNode().put("scope", bank.scope());
        if (!bank.scope().equals("host")) {
            body.put("project", project);
        }
        if (bank.agent() != null) {
            body.put("agent", bank.agent());
        }
        Answer opened = client.send("POST", "/v1/banks", body);
        if (!opened.isSuccess()) {
            report.countRefused("banks", opened.detail(), bank.scope());
            return null;
        }
        String id = opened.json().path("id").asText();
        report.countCreatedOrExisting(opened.status() == 201, "banks");
        ObjectNode profile = bank.profile();
        if (opened.status() == 201 && profile != null) {
            report.countRefusedIfFailed(
                    "banks", bank.scope(), client.send("PUT", "/v1/banks/" + id + "/profile", profile));
        }
        return read(id);
    }

    private OpenBank read(String id) throws IOException, InterruptedException {
        var documents = new HashSet<String>();
        client.list("/v1/banks/" + id + "/docs?fresh=true&limit=100")
                .forEach(document -> documents.add(document.path("id").asText()));
        var directives = new HashMap<String, String>();
        JsonNode found = client.fetch("/v1/banks/" + id + "/directives").json();
        (found.isArray() ? found : found.path("data"))
                .forEach(directive -> directives.put(
                        directive.path("name").asText(),
                        directive.path("content").asText()));
        return new OpenBank(id, documents, directives, new ArrayList<>());
    }

    /** Sends pending documents. */
    void finish() throws IOException, InterruptedException {
        for (OpenBank bank : banks.values()) {
            if (bank != null) {
                send(bank);
            }
        }
    }

    /** Sends pending documents, and drops the cached banks of the project. */
    void reset() throws IOException, InterruptedException {
        finish();
        banks.clear();
    }
}
