package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.domain.permission.RuleRequest;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnEvent.ApprovalRequested;
import dev.parley.domain.protocol.TurnEvent.PermissionDecided;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topics;
import dev.parley.server.Api.Answer;
import dev.parley.server.chat.PipedChat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.api.errors.GitAPIException;
import org.eclipse.jgit.revwalk.RevCommit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Permissions of agents, in a complete server process. */
class PermissionsIT {
    @TempDir
    static Path folder;

    private static Servers servers;
    private static Instance instance;
    private static Api api;

    @BeforeAll
    static void start() throws IOException {
        Files.writeString(folder.resolve("parley.yml"), """
            agents:
              - name: default
              - { name: helper, mode: subagent }
            permissions:
              - { tool: echo, action: ask }
              - { tool: time, action: deny }
            commandsAsRoot: true
            tools: { checkouts: [{ folder: "%s", projects: ["*"] }], shell: { projects: ["*"] } }
            """.formatted(folder.resolve("checkouts")));
        servers = new Servers(folder);
        startInstance();
    }

    private static void startInstance() {
        instance = servers.start("one");
        api = Api.of(instance);
    }

    @AfterAll
    static void stop() {
        instance.close();
        servers.close();
    }

    /** Submits a message that leads to an approval; returns the approval. */
    private static JsonNode submitForApproval(String session, String text) {
        Answer submitted = api.post("/v1/sessions/" + session + "/turns", Map.of("text", text));
        assertEquals(202, submitted.status(), submitted.text());
        return awaitApproval(session);
    }

    private static JsonNode awaitApproval(String session) {
        return Awaitility.await()
                .until(() -> openApprovals(session), list -> !list.isEmpty())
                .getFirst();
    }

    private static List<JsonNode> openApprovals(String session) {
        var found = new ArrayList<JsonNode>();
        api.list("/v1/approvals").stream()
                .filter(approval -> approval.get("session").asText().startsWith(session))
                .forEach(found::add);
        return found;
    }

    private static Answer answer(String session, JsonNode approval, String answer) {
        return api.post(
                "/v1/sessions/" + session + "/approvals/" + approval.get("id").asText(), Map.of("answer", answer));
    }

    private static String reply(String session) {
        return Awaitility.await()
                .until(
                        () -> turn(session),
                        turn -> List.of("COMPLETED", "FAILED", "CANCELLED")
                                .contains(turn.path("state").asText()))
                .path("reply")
                .asText();
    }

    private static JsonNode turn(String session) {
        return api.list("/v1/sessions/" + session + "/turns").getLast();
    }

    @Test
    @Tag("I93")
    void approvalSurvivesARestart() {
        // Given
        JsonNode approval = submitForApproval("web:restart", "!call echo {\"text\":\"hello\"}");
        assertEquals("echo", approval.get("tool").asText());
        assertEquals("{\"text\":\"hello\"}", approval.get("arguments").asText());
        assertEquals("WAITING_APPROVAL", turn("web:restart").get("state").asText());

        // When
        instance.close();
        startInstance();

        // Then
        JsonNode afterRestart = awaitApproval("web:restart");
        assertEquals(approval.get("id"), afterRestart.get("id"));
        assertEquals(202, answer("web:restart", afterRestart, "once").status());
        assertTrue(reply("web:restart").contains("hello"), turn("web:restart").toString());
        assertEquals(List.of(), openApprovals("web:restart"));
        Answer repeated = answer("web:restart", afterRestart, "once");
        assertEquals(404, repeated.status());
        assertEquals("unknown_approval", repeated.code());
    }

    @Test
    @Tag("I92")
    void deniedCallIsReportedToTheModel() {
        JsonNode turn = api.say("web:denied", "!call time {}");
        assertTrue(turn.get("reply").asText().contains("denied by the rule"), turn.toString());
    }

    private static List<JsonNode> patches(String session) {
        var found = new ArrayList<JsonNode>();
        api.list(session + "/messages")
                .forEach(message -> message.get("parts").forEach(part -> {
                    if (part.get("kind").asText().equals("patch")) {
                        found.add(part);
                    }
                }));
        return found;
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @Tag("I77")
    @Tag("I98")
    void writesFilesAsRulesAllowAndListsThemInTheTurn() {
        // Given
        String project = "/v1/projects/default";
        for (var rule : List.of(
                Map.of("tool", "file_write", "action", "allow"),
                Map.of("tool", "file_write", "pattern", "/secrets/**", "action", "deny"))) {
            assertEquals(201, api.post(project + "/permissions", rule).status());
        }

        // When
        JsonNode turn = api.say("web:files", """
            !call file_write {"path":"notes//a.md","content":"one"}
            !call file_write {"path":"//secrets/a.md","content":"two"}
            !call file_write {"path":"/b.md","content":"three"}
            !then
            !say done\
            """);

        // Then
        assertEquals("done", turn.get("reply").asText(), turn.toString());
        assertEquals("one", api.get(project + "/files/content?path=/notes/a.md").text());
        assertEquals(404, api.get(project + "/files/content?path=/secrets/a.md").status());
        List<JsonNode> changes = api.list(project + "/turns/" + turn.get("id").asText() + "/changes");
        assertEquals(
                List.of("/b.md", "/notes/a.md"),
                changes.stream().map(change -> change.get("path").asText()).toList());
        assertTrue(changes.stream().allMatch(change -> change.get("before").isNull()), changes.toString());
        assertEquals(turn.get("id"), api.list(project + "/snapshots").getFirst().get("turnId"));
        List<JsonNode> parts = Awaitility.await()
                .until(
                        () -> patches("/v1/sessions/web:files"),
                        found -> found.toString().contains("/b.md")
                                && found.toString().contains("/notes/a.md"));
        assertEquals(1, parts.size(), parts.toString());
        List<JsonNode> patches = new ArrayList<>();
        parts.getFirst().get("patches").forEach(patches::add);
        assertEquals(
                List.of("/b.md", "/notes/a.md"),
                patches.stream().map(patch -> patch.get("path").asText()).toList());
        for (JsonNode patch : patches) {
            String file = project + "/files/%s?path=" + patch.get("path").asText();
            String bytes = api.get(file.formatted("content") + "&version=" + patch.get("to"))
                    .text();
            assertEquals(sha256(bytes), patch.get("after").asText());
            assertTrue(api.get(file.formatted("diff") + "&from=" + patch.get("from") + "&to=" + patch.get("to"))
                    .text()
                    .contains("+" + bytes));
        }
    }

    private static JsonNode submit(String session, String text) {
        return api.turn(session, Map.of("text", text)).json();
    }

    /** A git project with a checkout in which agents may do anything but run commands. */
    private static String checkout(Path repository) throws IOException, GitAPIException {
        Files.createDirectories(repository);
        Files.writeString(repository.resolve("a.txt"), "one\ntwo\n");
        try (Git git = Git.init().setDirectory(repository.toFile()).call()) {
            git.add().addFilepattern(".").call();
            git.commit().setMessage("Begin").setSign(false).call();
        }
        var body = Map.of("name", "checkout", "type", "git", "path", repository.toString());
        String project = "/v1/projects/"
                + api.post("/v1/projects", body).json().get("key").asText();
        for (var rule : List.of(
                Map.of("tool", "@read", "action", "allow"),
                Map.of("tool", "@write", "action", "allow"),
                Map.of("tool", "repo_write", "pattern", "/secrets/**", "action", "deny"))) {
            assertEquals(201, api.post(project + "/permissions", rule).status());
        }
        Awaitility.await()
                .until(() -> api.get(project).json().path("checkout").asText().equals("open"));
        return project;
    }

    @Test
    @Tag("I11")
    @Tag("I12")
    @Tag("I98")
    void agentChangesOnlyTheCheckoutOfItsProject() throws IOException, GitAPIException {
        // Given
        Path repository = folder.toRealPath().resolve("checkouts/repository");
        String project = checkout(repository);
        String session = project + "/sessions/web:checkout";

        // When
        JsonNode worked = submit(session, """
            !call repo_read {"path":"/a.txt"}
            !then
            !call repo_edit {"path":"/a.txt","old_text":"two","new_text":"2"}
            !then
            !call repo_diff {"path":"/"}
            !then
            !call repo_commit {"message":"Write a figure","paths":["/a.txt"]}\
            """);
        JsonNode escaped = submit(session, """
            !call repo_read {"path":"/../../parley.yml"}
            !call repo_write {"path":"secrets/a.txt","content":"x"}
            !call repo_read {"path":"/.git/config"}\
            """);

        // Then
        assertTrue(worked.path("reply").asText().contains("Committed "), worked.toString());
        assertEquals("one\n2\n", Files.readString(repository.resolve("a.txt")));
        Awaitility.await().until(() -> outputs(session).contains("-two\n+2\n"));
        try (Git git = Git.open(repository.toFile())) {
            RevCommit head = git.log().setMaxCount(1).call().iterator().next();
            assertEquals("default (Parley)", head.getAuthorIdent().getName());
            assertEquals("Write a figure", head.getShortMessage());
            assertTrue(git.status().call().isClean());
        }
        assertTrue(escaped.path("reply").asText().contains("has a '..'"), escaped.toString());
        assertTrue(escaped.path("reply").asText().contains("denied by the rule"), escaped.toString());
        assertTrue(escaped.path("reply").asText().contains("reserved by git or Parley"), escaped.toString());
        assertFalse(Files.exists(repository.resolve("secrets")));

        // And a project without an allowed checkout has no such tools
        String outside = "/v1/projects/"
                + api.post("/v1/projects", Map.of("name", "o", "type", "local", "path", folder.toString()))
                        .json()
                        .get("key")
                        .asText();
        assertEquals("closed", api.get(outside).json().path("checkout").asText());
        assertTrue(api.get("/v1/projects/default").json().path("checkout").isNull());
        for (String other : List.of(outside, "/v1/projects/default")) {
            JsonNode turn = submit(other + "/sessions/web:none", "!call repo_read {\"path\":\"/a.txt\"}");
            assertTrue(turn.path("reply").asText().contains("there is no tool 'repo_read'"), turn.toString());
        }
    }

    @Test
    @Tag("I11")
    void commandInACheckoutWaitsForApproval() throws IOException, GitAPIException {
        // Given
        Path repository = folder.toRealPath().resolve("checkouts/commands");
        String session = checkout(repository) + "/sessions/web:shell";

        // When
        Answer submitted = api.post(
                session + "/turns", Map.of("text", "!call shell {\"command\":\"env cat a.txt && pwd > ran\"}"));
        assertEquals(202, submitted.status(), submitted.text());
        JsonNode approval = Awaitility.await()
                .until(() -> api.list(session.replaceAll("/sessions/.*", "/approvals")), list -> !list.isEmpty())
                .getFirst();

        // Then
        assertEquals("shell", approval.get("tool").asText());
        assertFalse(Files.exists(repository.resolve("ran")));
        Answer answered = api.post(session + "/approvals/" + approval.get("id").asText(), Map.of("answer", "once"));
        assertEquals(202, answered.status(), answered.text());
        String reply = Awaitility.await()
                .until(
                        () -> api.list(session + "/turns").getLast(),
                        turn -> turn.path("state").asText().equals("COMPLETED"))
                .path("reply")
                .asText();
        assertTrue(reply.contains("two") && reply.contains("[exit status 0]"), reply);
        assertEquals(repository + "\n", Files.readString(repository.resolve("ran")));
    }

    /** The tool results of a session. */
    private static String outputs(String session) {
        return String.join(
                "\n",
                api.list(session + "/messages").stream()
                        .flatMap(message -> message.findValuesAsText("result").stream())
                        .toList());
    }

    @Test
    void sessionSearchFindsMessagesOfItsOwnSessionOnly() {
        // Given
        api.say("web:search", "!say the harbour is called Koper");
        api.say("web:search-other", "!say the harbour is called Split");
        assertEquals(
                202,
                api.post("/v1/sessions/web:search/context", Map.of("reset", "clear"))
                        .status());

        // When
        JsonNode turn = Awaitility.await()
                .until(
                        () -> api.say("web:search", "!call session_search {\"query\":\"HARBOUR call*\"}"),
                        found -> found.get("reply").asText().contains("Koper"));

        // Then
        assertTrue(turn.get("reply").asText().contains("assistant]"), turn.toString());
        assertFalse(turn.get("reply").asText().contains("Split"), turn.toString());
    }

    private static String texts(String session) {
        return String.join(
                " ",
                api.list(session + "/messages").stream()
                        .flatMap(message -> message.findValuesAsText("text").stream())
                        .toList());
    }

    @Test
    @Tag("I108")
    void revertsAndRestoresASessionWithItsFiles() {
        // Given
        String project = "/v1/projects/" + api.project("reverted");
        for (String tool : List.of("file_write", "file_delete")) {
            assertEquals(
                    201,
                    api.post(project + "/permissions", Map.of("tool", tool, "action", "allow"))
                            .status());
        }
        String session = project + "/sessions/a";
        Answer first = api.turn(session, Map.of("text", """
            !call file_write {"path":"/a.md","content":"one"}
            !then
            !say first\
            """));
        api.turn(session, Map.of("text", """
            !call file_write {"path":"/a.md","content":"two"}
            !call file_write {"path":"/b.md","content":"two"}
            !then
            !say second\
            """));
        assertEquals("two", api.get(project + "/files/content?path=/a.md").text());
        Awaitility.await().until(() -> texts(session).contains("second")); // views follow

        // When
        Answer back = api.post(
                session + "/revert", Map.of("turn", first.json().get("id").asText()));

        // Then
        assertEquals(200, back.status(), back.text());
        assertEquals("[\"/b.md\",\"/a.md\"]", back.json().get("restored").toString());
        assertEquals("one", api.get(project + "/files/content?path=/a.md").text());
        assertEquals(404, api.get(project + "/files/content?path=/b.md").status());
        Awaitility.await().until(() -> !texts(session).contains("second"));
        assertTrue(texts(session).contains("first"), texts(session));
        assertTrue(api.list(session + "/messages?reverted=true").toString().contains("second"), "nothing is lost");

        // When
        Answer forth = api.post(session + "/unrevert", Map.of());

        // Then
        assertEquals(200, forth.status(), forth.text());
        assertEquals("two", api.get(project + "/files/content?path=/b.md").text());
        Awaitility.await().until(() -> texts(session).contains("second"));

        // When
        assertEquals(200, api.post(session + "/revert", Map.of()).status());
        api.turn(session, Map.of("text", "!say third"));

        // Then
        Answer rejected = api.post(session + "/unrevert", Map.of());
        assertEquals("nothing_to_unrevert", rejected.code());
        assertEquals("one", api.get(project + "/files/content?path=/a.md").text());
        assertEquals(
                404,
                api.post(session + "/revert", Map.of("turn", "00000000-0000-0000-0000-000000000001"))
                        .status());
    }

    @Test
    @Tag("I93")
    void rejectedCallIsReportedToTheModel() {
        JsonNode approval = submitForApproval("web:no", "!call echo {\"text\":\"hello\"}");
        assertEquals(202, answer("web:no", approval, "reject").status());
        assertTrue(reply("web:no").contains("a person said no"), turn("web:no").toString());
    }

    @Test
    @Tag("I94")
    @Tag("I53")
    @Tag("B133")
    void sessionApprovalAndSessionRuleApplyToTheSessionOnly() {
        // Given
        JsonNode approval = submitForApproval("web:always", "!call echo {\"text\":\"one\"}");
        answer("web:always", approval, "session");
        reply("web:always");

        // Then
        assertTrue(api.say("web:always", "!call echo {\"text\":\"two\"}")
                .get("reply")
                .asText()
                .contains("two"));
        JsonNode elsewhere = submitForApproval("web:always-not", "!call echo {\"text\":\"one\"}");
        answer("web:always-not", elsewhere, "reject");
        reply("web:always-not");

        // When
        String own = "/v1/sessions/web:always/permissions";
        JsonNode granted = Awaitility.await()
                .until(() -> api.list(own), list -> !list.isEmpty())
                .getFirst();
        assertEquals("echo", granted.path("tool").asText());
        assertFalse(granted.path("everybody").asBoolean());
        String rule = own + "/" + granted.path("id").asText();
        assertEquals(202, api.delete(rule).status());
        assertEquals(404, api.delete(rule).status());

        // Then
        answer("web:always", submitForApproval("web:always", "!call echo {\"text\":\"one\"}"), "reject");
        reply("web:always");
        assertEquals(List.of(), api.list(own));

        // When
        var rules = Map.of("rules", List.of(Map.of("tool", "echo", "action", "deny")));
        assertEquals(
                202,
                api.send("PUT", "/v1/sessions/web:always/permissions", rules, Map.of())
                        .status());

        // Then
        String reply = api.say("web:always", "!call echo {\"text\":\"three\"}")
                .get("reply")
                .asText();
        assertTrue(reply.contains("denied by the rule"), reply);
    }

    @Test
    @Tag("I95")
    void projectRuleAppliesToItsSessionsOnly() {
        // Given
        String project = "/v1/projects/" + api.project("with a rule");
        String other = "/v1/projects/" + api.project("without");
        Answer created = api.create(project + "/permissions", Map.of("tool", "echo", "action", "allow"));

        // Then
        for (String session : List.of("/sessions/a", "/sessions/b")) {
            Answer turn = api.turn(project + session, Map.of("text", "!call echo {\"text\":\"hi\"}"));
            assertTrue(turn.json().get("reply").asText().contains("hi"), turn.text());
        }
        api.post(other + "/sessions/a/turns", Map.of("text", "!call echo {\"text\":\"hi\"}"));
        Awaitility.await().until(() -> api.list(other + "/approvals").size() == 1);

        // When
        String id = created.json().get("id").asText();
        assertEquals(List.of(id), ids(api.list(project + "/permissions")));
        assertEquals(204, api.delete(project + "/permissions/" + id).status());
        assertEquals(404, api.delete(project + "/permissions/" + id).status());
        assertEquals(404, api.delete(other + "/permissions/" + id).status());

        // Then
        api.post(project + "/sessions/c/turns", Map.of("text", "!call echo {\"text\":\"hi\"}"));
        Awaitility.await().until(() -> api.list(project + "/approvals").size() == 1);
    }

    @Test
    @Tag("I85")
    void agentRuleAppliesToThatAgentOnly() {
        // Given
        String project = "/v1/projects/" + api.project("with an agent's rule");
        var rule = Map.of("agent", "plan", "tool", "echo", "action", "allow");
        assertEquals(201, api.post(project + "/permissions", rule).status());

        // Then
        Answer turn =
                api.turn(project + "/sessions/a", Map.of("text", "!call echo {\"text\":\"hi\"}", "agent", "plan"));
        assertTrue(turn.json().path("reply").asText().contains("hi"), turn.text());
        api.post(project + "/sessions/b/turns", Map.of("text", "!call echo {\"text\":\"hi\"}"));
        Awaitility.await().until(() -> api.list(project + "/approvals").size() == 1);
    }

    private static List<String> ids(List<JsonNode> rules) {
        return rules.stream().map(rule -> rule.get("id").asText()).toList();
    }

    @Test
    @Tag("I96")
    void hostRuleAppliesToAllProjectsAndNeedsAnAdministrator() {
        // Given
        api.post("/v1/auth/register", Map.of("username", "first", "password", "correct horse"));
        api.post("/v1/auth/register", Map.of("username", "member", "password", "correct horse"));
        String token = api.post("/v1/auth/login", Map.of("username", "member", "password", "correct horse"))
                .json()
                .get("token")
                .asText();
        var rule = Map.of("agent", "free", "tool", "echo", "action", "allow");

        // Then
        assertEquals(
                403,
                new Api(instance.url(), token).post("/v1/permissions", rule).status());

        // When
        assertEquals(201, api.post("/v1/permissions", rule).status());

        // Then
        String somewhere = "/v1/projects/" + api.project("somewhere");
        var question = Map.of("agent", "free", "tool", "echo");
        JsonNode answer =
                api.post(somewhere + "/permissions/evaluate", question).json();
        assertEquals("allow", answer.get("action").asText());
        assertEquals("agent", answer.at("/rule/level").asText());
    }

    /** The approvals of a session that a user may answer, on the worklist of their category. */
    private static List<JsonNode> approvals(Api user, String project, String session) {
        return user.list("/v1/worklists/me/approval/tasks?fresh=true&project=" + project).stream()
                .filter(task -> task.path("session").asText().equals(session))
                .toList();
    }

    @Test
    @Tag("I93")
    @Tag("W38")
    void worklistShowsAnApprovalToThoseWhoMayAnswerIt() {
        // Given
        Api ann = person("ann-lists");
        String project = ann.project("lists of ann");
        String path = "/v1/projects/" + project;
        Api other = person("other-lists");
        ann.post(
                path + "/members",
                Map.of("user", other.get("/v1/me").json().path("id").asText(), "role", "member"));
        String question = submitForApproval(ann, path, "a", "!call echo {\"text\":\"hello\"}");
        String id = question.substring(question.lastIndexOf('/') + 1);

        // When
        List<JsonNode> listed = Awaitility.await().until(() -> approvals(ann, project, "a"), list -> !list.isEmpty());

        // Then
        assertEquals(id, listed.getFirst().path("id").asText());
        assertEquals("approval", listed.getFirst().path("type").asText());
        assertEquals(
                "{\"text\":\"hello\"}",
                listed.getFirst().at("/question/arguments").asText());
        assertEquals(List.of(), approvals(other, project, "a"));
        assertEquals(List.of(), other.list("/v1/tasks?fresh=true&project=" + project));
        assertEquals(404, other.get("/v1/tasks/" + id).status());
        assertEquals(
                404,
                other.post("/v1/tasks/" + id + "/complete", Map.of("value", "once"))
                        .status());
        assertEquals(
                1,
                ann.list("/v1/worklists/role:leader/approval/tasks?project=" + project)
                        .size());

        // When
        String complete = "/v1/tasks/" + id + "/complete";
        assertEquals(400, ann.post(complete, Map.of("value", "perhaps")).status());
        assertEquals(403, ann.post(complete, Map.of("value", "host")).status());
        assertEquals(
                "agent_task", ann.post("/v1/tasks/" + id + "/claim", Map.of()).code());
        Map<String, String> key = Map.of("Idempotency-Key", "k1");
        Answer answered = ann.post(complete, Map.of("value", "once", "comment", "it only echoes"), key);

        // Then
        assertEquals(200, answered.status(), answered.text());
        assertEquals("once", answered.json().path("result").asText());
        assertEquals("it only echoes", answered.json().path("comment").asText());
        assertEquals("C", answered.json().path("status").asText());
        assertEquals(
                answered.json(),
                ann.post(complete, Map.of("value", "once"), key).json());
        Answer conflicting = ann.post(complete, Map.of("value", "reject"));
        assertEquals("task_closed", conflicting.code(), conflicting.text());
        assertEquals(List.of(), approvals(ann, project, "a"));
        assertTrue(Awaitility.await()
                .until(
                        () -> ann.list(path + "/sessions/a/turns").getLast(),
                        turn -> turn.path("state").asText().equals("COMPLETED"))
                .path("reply")
                .asText()
                .contains("hello"));
    }

    @Test
    @Tag("I93")
    @Tag("B131")
    void closedAndErasedApprovalsLeaveTheWorklist() {
        // Given
        String project = api.project("closed elsewhere");
        String path = "/v1/projects/" + project;
        String rejected = submitForApproval(api, path, "rejected", "!call echo {}");
        submitForApproval(api, path, "cancelled", "!call echo {}");
        String erased = submitForApproval(api, path, "erased", "!call echo {}");
        String task = "/v1/tasks/" + rejected.substring(rejected.lastIndexOf('/') + 1);
        Awaitility.await()
                .until(() -> api.list("/v1/tasks?mine=true&fresh=true&project=" + project)
                                .size()
                        == 3);

        // When
        api.post(rejected, Map.of("answer", "reject", "reason", "not today"));
        api.delete(path + "/sessions/cancelled/run");

        // Then
        Awaitility.await()
                .until(() -> api.list("/v1/tasks?fresh=true&project=" + project).size() == 1);
        assertEquals("reject", api.get(task).json().path("result").asText());
        assertEquals("not today", api.get(task).json().path("comment").asText());
        Awaitility.await()
                .until(() -> api.list("/v1/audit?source=approval").stream()
                        .anyMatch(row -> row.path("comment").asText().equals("not today")));

        // When
        api.post(path + "/sessions/erased/erase", Map.of());

        // Then
        String erasedTask = "/v1/tasks/" + erased.substring(erased.lastIndexOf('/') + 1);
        Awaitility.await().until(() -> api.get(erasedTask).status() == 404);
    }

    private static String replyIn(String project, String session, String text) {
        Answer turn = api.turn(project + "/sessions/" + session, Map.of("text", text));
        return turn.json().path("reply").asText();
    }

    /** Submits a message in a project that leads to an approval; returns the path of the approval. */
    private static String submitForApproval(Api user, String project, String session, String text) {
        Answer submitted = user.post(project + "/sessions/" + session + "/turns", Map.of("text", text));
        assertEquals(202, submitted.status(), submitted.text());
        JsonNode approval = Awaitility.await()
                .until(
                        () -> user.list(project + "/approvals").stream()
                                .filter(row -> row.get("session").asText().equals(session))
                                .toList(),
                        list -> !list.isEmpty())
                .getFirst();
        return project + "/sessions/" + session + "/approvals/"
                + approval.get("id").asText();
    }

    private static String writeCall(String path) {
        return "!call file_write {\"path\":\"%s\",\"content\":\"x\"}\n!then\n!say done".formatted(path);
    }

    @Test
    @Tag("I95")
    void projectApprovalMakesARuleForThatProjectOnly() {
        // Given
        String project = "/v1/projects/" + api.project("always here");
        String other = "/v1/projects/" + api.project("not here");
        String question = submitForApproval(api, project, "a", writeCall("notes//[a].md"));

        // When
        assertEquals(202, api.post(question, Map.of("answer", "project")).status());

        // Then
        JsonNode rule = Awaitility.await()
                .until(() -> api.list(project + "/permissions"), list -> !list.isEmpty())
                .getFirst();
        assertEquals("project", rule.get("level").asText());
        assertEquals("file_write", rule.get("tool").asText());
        assertEquals("/notes/[a].md", rule.get("pattern").asText());
        assertEquals("allow", rule.get("action").asText());
        var call = Map.of("tool", "file_write", "value", "/notes/[a].md");
        Awaitility.await() // a rule is listed a moment before it applies
                .until(() -> api.post(project + "/permissions/evaluate", call)
                        .json()
                        .path("action")
                        .asText()
                        .equals("allow"));
        assertEquals("done", replyIn(project, "b", writeCall("/notes/[a].md")));
        submitForApproval(api, project, "c", writeCall("/notes/a.md"));
        submitForApproval(api, other, "a", writeCall("/notes/[a].md"));
        assertEquals(List.of(true), audited(rule.get("id").asText()));
    }

    /** A signed-in user who is not an administrator. */
    private static Api person(String name) {
        var login = Map.of("username", name, "password", "correct horse");
        api.post("/v1/auth/register", Map.of("username", "first", "password", "correct horse"));
        api.post("/v1/auth/register", login);
        return new Api(
                instance.url(),
                api.post("/v1/auth/login", login).json().get("token").asText());
    }

    @Test
    @Tag("I96")
    void hostApprovalNeedsAnAdministratorAndAppliesToAllProjects() {
        // Given
        Api ann = person("ann");
        String project = "/v1/projects/" + ann.project("of ann");
        String question = submitForApproval(ann, project, "a", writeCall("/everywhere"));

        // When
        Answer refused = ann.post(question, Map.of("answer", "host"));

        // Then
        assertEquals(403, refused.status(), refused.text());
        assertEquals(1, ann.list(project + "/approvals").size(), "it is still asked");
        assertEquals(List.of(), ann.list(project + "/permissions"));

        // When
        assertEquals(202, api.post(question, Map.of("answer", "host")).status());

        // Then
        String somewhere = "/v1/projects/" + api.project("somewhere else");
        var call = Map.of("tool", "file_write", "value", "/everywhere");
        JsonNode decided = Awaitility.await()
                .until(
                        () -> api.post(somewhere + "/permissions/evaluate", call)
                                .json(),
                        answer -> answer.get("action").asText().equals("allow"));
        assertEquals("host", decided.at("/rule/level").asText());
        assertEquals("done", replyIn(somewhere, "a", writeCall("/everywhere")));
        api.delete("/v1/permissions/" + decided.at("/rule/id").asText());
    }

    @Test
    @Tag("I95")
    @Tag("I96")
    void createsEachRequestedRuleOnceAndOnlyIfPermitted() {
        // Given
        String key = api.project("wanted");
        Api bob = person("bob");
        String user = bob.get("/v1/me").json().get("id").asText();
        var permitted = new RuleRequest(
                UUID.randomUUID(), AccessDirectory.DEFAULT_HOST, key, "echo", "**", AccessDirectory.ADMIN.toString());
        requestRules(permitted);
        String rules = "/v1/projects/" + key + "/permissions";
        Awaitility.await()
                .until(() -> ids(api.list(rules)).contains(permitted.id().toString()));
        assertEquals(204, api.delete(rules + "/" + permitted.id()).status());

        // When the request is repeated, and others are not permitted
        var outsiders = new RuleRequest(UUID.randomUUID(), AccessDirectory.DEFAULT_HOST, key, "echo", "**", user);
        var everywhere = new RuleRequest(UUID.randomUUID(), AccessDirectory.DEFAULT_HOST, null, "echo", "**", user);
        var nobodys = new RuleRequest(UUID.randomUUID(), AccessDirectory.DEFAULT_HOST, key, "echo", "**", "telegram:7");
        var broken = new RuleRequest(
                UUID.randomUUID(), AccessDirectory.DEFAULT_HOST, key, "echo", "\0", AccessDirectory.ADMIN.toString());
        var last = new RuleRequest(
                UUID.randomUUID(), AccessDirectory.DEFAULT_HOST, key, "time", "**", AccessDirectory.ADMIN.toString());
        requestRules(permitted, outsiders, everywhere, nobodys, broken, last);

        // Then
        Awaitility.await().until(() -> !api.list(rules).isEmpty());
        assertEquals(List.of(last.id().toString()), ids(api.list(rules)));
        assertFalse(ids(api.list("/v1/permissions")).contains(everywhere.id().toString()));
        assertEquals(List.of(true, true), audited(permitted.id().toString()), "made and taken back");
        for (var refused : List.of(outsiders, everywhere, nobodys, broken)) {
            assertEquals(List.of(false), audited(refused.id().toString()), refused.toString());
        }
    }

    /** Success of each audit entry about a rule. */
    private static List<Boolean> audited(String rule) {
        return api.list("/v1/audit?source=permission&limit=200").stream()
                .filter(entry -> entry.toString().contains(rule))
                .map(entry -> entry.get("success").asBoolean())
                .toList();
    }

    private static void requestRules(RuleRequest... requests) {
        try (var producer = instance.beans().getBean(KafkaClients.class).producer("wants")) {
            for (RuleRequest request : requests) {
                var _ = producer.send(RecordCodec.record(
                        Topics.RULE_REQUESTS, request.host().toString(), request, request.id(), null));
            }
        }
    }

    @Test
    @Tag("I97")
    void evaluateNamesTheDecidingRule() {
        // Given
        String project = "/v1/projects/" + api.project("asked");
        String allow = api.post(project + "/permissions", Map.of("tool", "*", "action", "allow"))
                .json()
                .get("id")
                .asText();

        // When
        JsonNode answer = api.post(project + "/permissions/evaluate", Map.of("tool", "time"))
                .json();

        // Then
        assertEquals("allow", answer.get("action").asText());
        assertEquals(allow, answer.at("/rule/id").asText());
        assertEquals(
                List.of("project", "installation", "builtin"),
                answer.at("/values/0/rules").findValuesAsText("level"));

        // When
        String locked = api.post(project + "/permissions", Map.of("tool", "time", "action", "deny", "locked", true))
                .json()
                .get("id")
                .asText();

        // Then the call is decided as evaluated
        answer = api.post(project + "/permissions/evaluate", Map.of("tool", "time"))
                .json();
        assertEquals("deny", answer.get("action").asText());
        Answer turn = api.turn(project + "/sessions/a", Map.of("text", "!call time {}"));
        assertTrue(turn.json().get("reply").asText().contains("denied by the rule " + locked), turn.text());
    }

    @Test
    @Tag("I97")
    void ruleAppliesToAllToolsOfAnAccessLevel() {
        // Given
        String project = "/v1/projects/" + api.project("categories");
        String locked = api.post(project + "/permissions", Map.of("tool", "@write", "action", "deny", "locked", true))
                .json()
                .get("id")
                .asText();

        // When
        Answer turn = api.turn(
                project + "/sessions/a", Map.of("text", "!call file_write {\"path\":\"/a\",\"content\":\"x\"}"));

        // Then
        assertTrue(turn.json().get("reply").asText().contains("denied by the rule " + locked), turn.text());
        assertEquals(locked, decidedBy(project, "file_edit"));
        assertFalse(locked.equals(decidedBy(project, "file_read")));
        assertEquals(
                400,
                api.post(project + "/permissions", Map.of("tool", "@all", "action", "deny"))
                        .status());
    }

    private static String decidedBy(String project, String tool) {
        return api.post(project + "/permissions/evaluate", Map.of("tool", tool, "value", "/a"))
                .json()
                .at("/rule/id")
                .asText();
    }

    @Test
    @Tag("I90")
    @Tag("I91")
    void recordsTheDecidingRuleOfEachToolCall() throws SQLException, IOException {
        // Given
        String project = "/v1/projects/" + api.project("decided");
        var expected = new TreeMap<String, String>();
        for (var rule :
                Map.of("echo", "allow", "time", "deny", "send_file", "ask").entrySet()) {
            Answer created =
                    api.post(project + "/permissions", Map.of("tool", rule.getKey(), "action", rule.getValue()));
            expected.put(
                    rule.getKey(),
                    rule.getValue() + " " + created.json().path("id").asText());
        }
        expected.put("todo_read", "allow " + decidedBy(project, "todo_read"));

        // When
        String question = submitForApproval(api, project, "a", """
            !call echo {"text":"without asking"}
            !call time {}
            !call todo_read {}
            !call send_file {"name":"a.txt","content":"x"}\
            """);
        List<String> open = api.list(project + "/approvals").stream()
                .map(approval -> approval.path("tool").asText())
                .toList();
        api.post(question, Map.of("answer", "reject"));
        JsonNode turn = Awaitility.await()
                .until(
                        () -> api.list(project + "/sessions/a/turns").getLast(),
                        last -> last.path("state").asText().equals("COMPLETED"));

        // Then
        assertEquals(List.of("send_file"), open);
        assertTrue(turn.path("reply").asText().contains("without asking"), turn.toString());
        String session = api.get(project + "/sessions/a").json().path("id").asText();
        List<TurnEvent> events = events(UUID.fromString(session));
        var decided = new TreeMap<String, String>();
        var calls = new HashMap<UUID, String>();
        events.forEach(event -> {
            if (event instanceof PermissionDecided decision) {
                calls.put(decision.callId(), decision.tool());
                decided.put(decision.tool(), decision.action().name().toLowerCase(Locale.ROOT) + " " + decision.rule());
            }
        });
        assertEquals(expected, decided);
        assertEquals(
                List.of("send_file"),
                events.stream()
                        .filter(ApprovalRequested.class::isInstance)
                        .map(event -> calls.get(((ApprovalRequested) event).callId()))
                        .toList());
        Awaitility.await().untilAsserted(() -> assertEquals(expected, decidedRows(session)));
    }

    /** The events of a session on the topic. */
    private static List<TurnEvent> events(UUID session) {
        return Records.all(instance.beans().getBean(KafkaClients.class), Topics.TURN_EVENTS.name()).stream()
                .filter(record -> record.value() != null)
                .map(record -> RecordCodec.read(Topics.TURN_EVENTS, record))
                .filter(event -> event.meta().sessionId().equals(session))
                .toList();
    }

    private static Map<String, String> decidedRows(String session) throws SQLException, IOException {
        try (Connection connection = servers.superuser();
                PreparedStatement calls = connection.prepareStatement(
                        "SELECT tool_name, permission, rule_id FROM sessions.tool_call_t WHERE session_id = ?::uuid")) {
            calls.setString(1, session);
            var found = new TreeMap<String, String>();
            ResultSet rows = calls.executeQuery();
            while (rows.next()) {
                found.put(rows.getString(1), rows.getString(2) + " " + rows.getString(3));
            }
            return found;
        }
    }

    @Test
    void rejectsInvalidRules() {
        // Then
        for (var rule : List.<Map<String, Object>>of(
                Map.of("action", "deny"),
                Map.of("tool", "echo"),
                Map.of("tool", "echo", "action", "maybe"),
                Map.of("tool", "a b", "action", "deny"),
                Map.of("tool", "echo", "action", "allow", "locked", true),
                Map.of("tool", "echo", "action", "deny", "pattern", "x".repeat(1_025)),
                Map.of("tool", "echo", "action", "deny", "expiresAt", "2020-01-01T00:00:00Z"),
                Map.of("tool", "echo", "action", "deny", "expiresAt", "+294260-01-01T00:00:00Z"),
                Map.of("tool", "echo", "action", "deny", "extra", 1))) {
            Answer refused = api.post("/v1/permissions", rule);
            assertEquals(400, refused.status(), rule + " " + refused.text());
        }
        assertEquals(
                404,
                api.post("/v1/projects/nobodys/permissions", Map.of("tool", "echo", "action", "deny"))
                        .status());
    }

    @Test
    void rejectsInvalidApprovalAnswersAndSessionRules() {
        // Given
        JsonNode approval = submitForApproval("web:bad", "!call echo {\"text\":\"x\"}");

        // Then
        assertEquals("invalid_answer", answer("web:bad", approval, "perhaps").code());
        for (var rule : List.of(
                Map.of("tool", "echo"),
                Map.of("action", "deny"),
                Map.of("tool", "a b", "action", "deny"),
                Map.of("tool", "echo", "action", "deny", "pattern", ""))) {
            Answer refused =
                    api.send("PUT", "/v1/sessions/web:bad/permissions", Map.of("rules", List.of(rule)), Map.of());
            assertEquals(400, refused.status(), refused.text());
            assertEquals("invalid_rule", refused.code());
        }
        assertEquals(202, answer("web:bad", approval, "reject").status());
        reply("web:bad");
    }

    @Test
    @Tag("I93")
    void approvalOfADelegateIsAnsweredInTheParentSession() {
        JsonNode approval = submitForApproval("web:boss", "!delegate helper !call echo {\"text\":\"from below\"}");
        assertEquals("web:boss:delegate:helper", approval.get("session").asText());

        assertEquals(202, answer("web:boss", approval, "once").status());

        assertTrue(reply("web:boss").contains("from below"), turn("web:boss").toString());
    }

    @Test
    @Tag("I93")
    void terminalAsksForApproval() throws Exception {
        try (var chat = new PipedChat(instance.url(), Servers.KEY, folder, "web:terminal")) {
            chat.types("!call echo {\"text\":\"typed\"}");
            Awaitility.await().until(() -> chat.shown().contains("May I use echo?"));
            chat.types("what");
            chat.types("y");
            Awaitility.await().until(() -> chat.shown().contains("→ typed"));
            assertTrue(chat.shown().contains("Answer y, a, p, h or n."), chat.shown());
        }
    }

    @Test
    @Tag("I96")
    void terminalAsksAgainIfTheAnswerIsForbidden() throws Exception {
        String key = person("carl").key();
        try (var chat = new PipedChat(instance.url(), key, folder, "web:others")) {
            chat.types("!call echo {\"text\":\"typed\"}");
            Awaitility.await().until(() -> chat.shown().contains("May I use echo?"));
            chat.types("h");
            Awaitility.await().until(() -> chat.shown().contains("setting.manage"));
            assertFalse(chat.shown().contains("→ typed"), chat.shown());
            chat.types("y");
            Awaitility.await().until(() -> chat.shown().contains("→ typed"));
        }
    }
}
