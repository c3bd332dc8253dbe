package dev.parley.server.imports;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.domain.Ids;
import dev.parley.server.client.ApiClient;
import dev.parley.server.imports.Destination.Bank;
import dev.parley.server.imports.ImportClient.Answer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Writes imported memory to the banks of a server: documents in batches of at most 50, and directives. */
final class BankWriter {
    private static final int MAX_DOCUMENTS = 50;
    private static final int MAX_CHARACTERS = 1 << 19;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ImportClient client;
    private final Report report;
    private final boolean dry;
    private final Map<Bank, @Nullable OpenBank> banks = new HashMap<>();

    /** A bank with the ids of its documents, its directives by name, and the pending documents. */
    private record OpenBank(
            @Nullable String id, Set<String> documents, Map<String, String> directives, List<ObjectNode> waiting) {
        /** Whether a document is new to the bank. */
        boolean add(ObjectNode document) {
            String name = document.path("id").asText();
            return id == null
                    || documents.add(
                            Ids.of("doc", UUID.fromString(id), "named", name).toString());
        }

        boolean isBatchFull() {
            return waiting.size() == MAX_DOCUMENTS
                    || waiting.stream()
                                    .mapToLong(one -> one.path("text").asText().length())
                                    .sum()
                            > MAX_CHARACTERS;
        }
    }

    BankWriter(ImportClient client, Report report, boolean dry) {
        this.client = client;
        this.report = report;
        this.dry = dry;
    }

    /** Adds a document to the next batch of a bank. */
    void document(String project, Bank bank, ObjectNode document) throws IOException, InterruptedException {
        OpenBank open = open(project, bank);
        if (open == null) {
            report.notTaken(
                    "documents",
                    "its bank cannot be opened",
                    document.path("id").asText());
            return;
        }
        report.found(open.add(document), "documents");
        if (!dry) {
            open.waiting().add(document);
            if (open.isBatchFull()) {
                send(open);
            }
        }
    }

    /** Sends the pending documents. A known one changes nothing; another text of the same id replaces it. */
    private void send(OpenBank bank) throws IOException, InterruptedException {
        if (bank.waiting().isEmpty()) {
            return;
        }
        ObjectNode body = JSON.createObjectNode();
        bank.waiting().forEach(body.withArray("documents")::add);
        Answer answer = client.ask(
                "POST",
                "/v1/banks/" + bank.id() + "/docs",
                body,
                "Idempotency-Key",
                Destination.digest(body.toString()));
        if (!answer.isSuccess()) {
            report.refused(
                    "documents",
                    answer.detail(),
                    bank.waiting().getFirst().path("id").asText());
        }
        for (int i = 0; i < bank.waiting().size(); i++) {
            JsonNode operation = answer.json().path("operations").path(i);
            if (operation.path("state").asText().equals("refused")) {
                String example = bank.waiting().get(i).path("id").asText();
                report.refused("documents", operation.path("detail").asText("the bank refused it"), example);
            }
        }
        bank.waiting().clear();
    }

    /** Sets a directive of a bank, unless it has one of this name. */
    void directive(String project, Bank bank, String name, String content, int priority)
            throws IOException, InterruptedException {
        OpenBank open = open(project, bank);
        if (open == null) {
            report.notTaken("directives", "its bank cannot be opened", name);
            return;
        }
        String before = open.directives().get(name);
        if (before != null) {
            if (before.equals(content)) {
                report.there("directives");
            } else {
                report.notTaken("directives", ImportWriter.DIFFERS, name);
            }
        } else if (dry) {
            report.made("directives");
        } else {
            ObjectNode body = JSON.createObjectNode().put("content", content).put("priority", priority);
            String path = "/v1/banks/" + open.id() + "/directives/" + ApiClient.encoded(name);
            report.made("directives", name, client.ask("PUT", path, body, null, null));
        }
    }

    /** A bank with its content, or null where the caller may not use it. */
    private @Nullable OpenBank open(String project, Bank bank) throws IOException, InterruptedException {
        OpenBank known = banks.get(bank);
        if (known != null || banks.containsKey(bank)) {
            return known;
        }
        OpenBank open = dry ? looked(project, bank) : opened(project, bank);
        banks.put(bank, open);
        return open;
    }

    private OpenBank looked(String project, Bank bank) throws IOException, InterruptedException {
        String of = bank.scope().equals("host") ? "" : "&project=" + ApiClient.encoded(project);
        String with = bank.agent() == null ? "" : "&agent=" + ApiClient.encoded(bank.agent());
        Answer found = client.ask("/v1/banks?scope=" + bank.scope() + of + with);
        JsonNode first = found.json().path("data").path(0);
        report.found(first.isMissingNode(), "banks");
        return first.isMissingNode()
                ? new OpenBank(null, new HashSet<>(), new HashMap<>(), new ArrayList<>())
                : filled(first.path("id").asText());
    }

    private @Nullable OpenBank opened(String project, Bank bank) throws IOException, InterruptedException {
        ObjectNode body = JSON.createObjectNode().put("scope", bank.scope());
        if (!bank.scope().equals("host")) {
            body.put("project", project);
        }
        if (bank.agent() != null) {
            body.put("agent", bank.agent());
        }
        Answer opened = client.ask("POST", "/v1/banks", body, null, null);
        if (!opened.isSuccess()) {
            report.refused("banks", opened.detail(), bank.scope());
            return null;
        }
        String id = opened.json().path("id").asText();
        report.found(opened.status() == 201, "banks");
        ObjectNode profile = bank.profile();
        if (opened.status() == 201 && profile != null) {
            report.accepted(
                    "banks", bank.scope(), client.ask("PUT", "/v1/banks/" + id + "/profile", profile, null, null));
        }
        return filled(id);
    }

    private OpenBank filled(String id) throws IOException, InterruptedException {
        var documents = new HashSet<String>();
        @Nullable String cursor = "";
        while (cursor != null) {
            Answer page = client.ask("/v1/banks/" + id + "/docs?fresh=true&limit=100" + cursor);
            page.json().path("data").forEach(one -> documents.add(one.path("id").asText()));
            cursor = page.next();
        }
        var directives = new HashMap<String, String>();
        JsonNode found = client.ask("/v1/banks/" + id + "/directives").json();
        (found.isArray() ? found : found.path("data"))
                .forEach(one -> directives.put(
                        one.path("name").asText(), one.path("content").asText()));
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

    /** Sends pending documents, and forgets the banks of this project. */
    void reset() throws IOException, InterruptedException {
        finish();
        banks.clear();
    }
}
