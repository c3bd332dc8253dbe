package dev.parley.imports;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a source gave, as it came. */
final class RecordedDestination implements Destination {
    final List<ObjectNode> projects = new ArrayList<>();
    final Map<String, ObjectNode> definitions = new LinkedHashMap<>();
    final Map<String, Conversation> sessions = new LinkedHashMap<>();
    final List<String> rules = new ArrayList<>();
    final Map<String, String> files = new LinkedHashMap<>();
    final Map<Bank, List<ObjectNode>> documents = new LinkedHashMap<>();
    final List<String> directives = new ArrayList<>();
    private final Report report = new Report("test", false);

    @Override
    public boolean project(ObjectNode body) {
        projects.add(body);
        return true;
    }

    @Override
    public void define(Kind kind, ObjectNode body) {
        definitions.put(kind.path() + " " + body.path("name").asText(), body);
    }

    @Override
    public void conversation(Conversation conversation) {
        sessions.put(conversation.key(), conversation);
    }

    @Override
    public void rule(ObjectNode rule, boolean ofHost) {
        rules.add((ofHost ? "host " : "project ") + rule);
    }

    @Override
    public void file(String path, byte[] content) {
        files.put(path, new String(content, StandardCharsets.UTF_8));
    }

    @Override
    public void document(Bank bank, ObjectNode document) {
        documents.computeIfAbsent(bank, _ -> new ArrayList<>()).add(document);
    }

    @Override
    public void directive(Bank bank, String name, String content, int priority) {
        directives.add(name + ": " + content + " " + priority);
    }

    @Override
    public Report report() {
        return report;
    }

    /** The report as people read it. */
    String told() {
        var text = new StringWriter();
        report.print(new PrintWriter(text));
        return text.toString();
    }

    JsonNode messages(String session) {
        return sessions.get(session).messages();
    }
}
