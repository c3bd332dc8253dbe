package dev.parley.server;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Locator.FilterOptions;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Page.GetByRoleOptions;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The console in a real browser, with a real server. */
class ConsoleIT {
    /** Texts that try to run scripts in a page. */
    private static final List<String> HOSTILE = List.of(
            "<script>window.caught = 1</script>",
            "<img src=x onerror='window.caught = 1'>",
            "<svg onload='window.caught = 1'>",
            "\"><iframe srcdoc='<script>parent.caught = 1</script>'>",
            "[a](javascript:window.caught=1)",
            "{{constructor.constructor('window.caught=1')()}}",
            "<a href='javascript:window.caught=1'>x</a>",
            "</textarea><script>window.caught = 1</script>");

    @TempDir
    static Path folder;

    private static Chromium browser;
    private static Instance server;
    private static Api api;

    /** An external system that receives webhooks. */
    private static LocalServer webhookReceiver;

    @BeforeAll
    static void start() throws IOException {
        browser = Chromium.begin();
        webhookReceiver = LocalServer.serial().handle("/", exchange -> {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        Files.writeString(folder.resolve("parley.yml"), """
                permissions:
                  - { tool: echo, action: ask }
                tools: { allowedHosts: [{ host: 127.0.0.1, hosts: [default], projects: ["*"] }] }
                """);
        server = Instances.start(folder.resolve("data"));
        api = Api.of(server);
        register("first"); // the first user is administrator
    }

    private static void register(String name) {
        api.create("/v1/auth/register", Map.of("username", name, "password", "a long enough one"));
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
        if (browser != null) {
            browser.close();
        }
        if (webhookReceiver != null) {
            webhookReceiver.close();
        }
    }

    /** Runs actions in a new window; requests to other servers, dialogs and failing scripts fail the test. */
    private static void inWindow(int width, Consumer<Page> actions) {
        List<String> problems = new ArrayList<>();
        try (BrowserContext context = browser.window(width)) {
            Page page = context.newPage();
            page.onPageError(error -> problems.add("fault: " + error));
            page.onRequest(request -> {
                if (!request.url().startsWith(server.url()) && !request.url().startsWith("data:")) {
                    problems.add("asked elsewhere: " + request.url());
                }
            });
            page.onDialog(dialog -> problems.add("dialog: " + dialog.message()));
            actions.accept(page);
        }
        assertEquals(List.of(), problems);
    }

    private static void asAdministrator(int width, Consumer<Page> actions) {
        inWindow(width, page -> {
            page.navigate(server.url() + "/");
            signIn(page, server.adminKey());
            assertThat(heading(page, "Overview")).isVisible();
            actions.accept(page);
        });
    }

    private static void signIn(Page page, String key) {
        button(page, "Sign in with a key").click();
        page.getByLabel("Key").fill(key);
        button(page, "Sign in").click();
    }

    private static Locator button(Page page, String name) {
        return page.getByRole(
                AriaRole.BUTTON, new GetByRoleOptions().setName(name).setExact(true));
    }

    private static Locator heading(Page page, String name) {
        return page.getByRole(
                AriaRole.HEADING, new GetByRoleOptions().setName(name).setLevel(1));
    }

    private static Locator message(Page page) {
        return page.getByRole(AriaRole.TEXTBOX, new GetByRoleOptions().setName("Message"));
    }

    private static void goTo(Page page, String path) {
        page.navigate(server.url() + "/#/default/" + path);
    }

    @Test
    void rejectsAWrongKeyAndKeepsASignInUntilSignOut() {
        inWindow(1_200, page -> {
            page.navigate(server.url() + "/#/default/sessions");
            signIn(page, "no key at all");
            assertThat(page.getByRole(AriaRole.ALERT)).containsText("is unknown");

            page.getByLabel("Key").fill(server.adminKey());
            button(page, "Sign in").click();
            assertThat(heading(page, "Sessions")).isVisible();
            page.reload();
            assertThat(heading(page, "Sessions")).isVisible();
            assertEquals("", Chromium.evaluate(page, "document.cookie"), "no script reads who it is");

            button(page, "Sign out").click();
            assertThat(heading(page, "Sign in to Parley")).isVisible();
            page.reload();
            assertThat(heading(page, "Sign in to Parley")).isVisible();
        });
    }

    @Test
    @Tag("O7")
    void operatorFindsAndStopsAStuckTurn() {
        // Given
        api.submit("stuck", "!delay 10m", UUID.randomUUID().toString());

        asAdministrator(1_200, page -> {
            page.getByRole(
                            AriaRole.LINK,
                            new GetByRoleOptions().setName("stuck").setExact(true))
                    .click();
            assertThat(page.getByText("It waits for a model.")).isVisible();

            // When
            button(page, "Stop").click();

            // Then
            assertThat(page.getByRole(AriaRole.LOG)).containsText("cancelled");
            Awaitility.await()
                    .until(() -> api.list("/v1/sessions/stuck/turns")
                            .getFirst()
                            .get("state")
                            .asText()
                            .equals("CANCELLED"));
        });
    }

    @Test
    @Tag("B285")
    void operatorAnswersInTheAgentsPlace() {
        // Given
        api.say("handed", "!say Hello.");
        api.post("/v1/sessions/handed/handoff", Map.of("reason", "wants a person"));
        api.submit("handed", "Is anybody there?", UUID.randomUUID().toString());

        asAdministrator(1_200, page -> {
            goTo(page, "inbox?whose=all");
            assertThat(page.getByText("wants a person")).isVisible();
            page.getByRole(
                            AriaRole.LINK,
                            new GetByRoleOptions().setName("session handed").setExact(true))
                    .click();
            assertThat(page.getByText("1 message waits")).isVisible();

            // When
            button(page, "Take over").click();
            page.getByLabel("Your answer").fill("I am.");
            button(page, "Send").click();

            // Then
            assertThat(page.getByRole(AriaRole.LOG)).containsText("I am.");
            assertThat(page.getByText("waits")).hasCount(0);
            button(page, "Return to the agent").click();
            assertThat(page.getByLabel("Your answer")).hasCount(0);
        });
    }

    @Test
    @Tag("O7")
    void dashboardAndAlertsUseExistingMetrics() throws IOException {
        // Given
        api.say("measured", "!call time {}");
        String queries = Files.readString(Path.of("../../deploy/grafana/parley.json"))
                + Files.readString(Path.of("../../deploy/monitoring/turns.yml"));

        // When
        Set<String> names = Pattern.compile("\\b(?:parley|http_server|hikaricp|jvm|process)_[a-z_]+")
                .matcher(queries)
                .results()
                .map(MatchResult::group)
                .filter(name -> !name.startsWith("parley_canary")) // metrics of another process: CanaryTest
                .collect(Collectors.toSet());

        // Then
        assertTrue(names.size() > 10, names.toString());
        Awaitility.await().untilAsserted(() -> {
            String metrics = api.get("/prometheus").text();
            names.forEach(name -> assertTrue(metrics.contains("\n" + name), name));
        });
    }

    @Test
    void chatStreamResumesAfterALostConnection() {
        asAdministrator(1_200, page -> {
            // Given
            page.getByRole(AriaRole.LINK, new GetByRoleOptions().setName("Chat").setExact(true))
                    .click();
            message(page).fill("!stream 40 words over 4s");
            message(page).press("Enter");
            assertThat(page.getByRole(AriaRole.LOG)).containsText("the quick brown fox");

            // When
            page.context().setOffline(true);
            page.context().setOffline(false);

            // Then
            assertThat(page.getByRole(AriaRole.LOG).getByText("tokens,")).isVisible();
            String session = page.url().substring(page.url().lastIndexOf('/') + 1);
            String reply = Awaitility.await()
                    .until(
                            () -> api.list("/v1/sessions/" + session + "/turns")
                                    .getFirst()
                                    .path("reply")
                                    .asText(""),
                            text -> !text.isEmpty());
            assertThat(page.getByRole(AriaRole.LOG)).containsText(reply);
            assertEquals(
                    1, page.getByRole(AriaRole.LOG).getByText(reply).count(), "what was streamed is not shown twice");
        });
    }

    @Test
    void showsHostileMessagesAsText() {
        // Given
        String hostileText = String.join("\\n", HOSTILE);
        api.say(
                "hostile",
                "!think " + hostileText + "\n!call time {\"x\":\"" + HOSTILE.getFirst() + "\"}\n!then\n!say "
                        + hostileText);

        asAdministrator(1_200, page -> {
            // When
            goTo(page, "sessions/hostile");
            Locator log = page.getByRole(AriaRole.LOG);

            // Then
            HOSTILE.forEach(text -> assertThat(log).containsText(text));
            log.getByText("Reasoning").first().click();
            assertEquals("undefined", Chromium.evaluate(page, "typeof window.caught"));
            assertEquals(
                    "0",
                    Chromium.evaluate(
                            page, "String(document.querySelectorAll('main script, main img, main iframe').length)"));
        });
    }

    @Test
    void approvalIsAnsweredInTheInbox() {
        // Given
        api.submit("asks", "!call echo {\"text\":\"12345678901234567890\"}\n!then\n!say done", "asks");

        asAdministrator(1_200, page -> {
            page.getByRole(AriaRole.LINK, new GetByRoleOptions().setName("Inbox"))
                    .click();
            Locator card = page.getByRole(
                    AriaRole.REGION, new GetByRoleOptions().setName("May echo be used in the session asks?"));
            assertThat(card).containsText("12345678901234567890");

            // When
            card.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("once"))
                    .click();

            // Then
            assertThat(card).isHidden();
            goTo(page, "sessions/asks");
            assertThat(page.getByRole(AriaRole.LOG)).containsText("done");
        });
    }

    @Test
    @Tag("O7")
    void operatorFindsFailedTurnsAndTheirErrors() {
        // Given
        JsonNode turn = api.say("broken", "!fail invalid_request");
        Awaitility.await()
                .until(() -> api.list("/v1/turns?state=FAILED&session=broken").size() == 1);
        String error = turn.at("/error/message").asText();

        asAdministrator(1_200, page -> {
            page.locator(".figures a[href*='state=FAILED']").click();
            assertThat(heading(page, "Turns")).isVisible();
            Locator row = page.getByRole(AriaRole.ROW).filter(new FilterOptions().setHasText("!fail invalid_request"));
            assertThat(row.first()).containsText(error);
            assertThat(row.first()).containsText("failed");
            page.getByLabel("State").selectOption("COMPLETED");
            assertThat(row).hasCount(0);
            page.getByLabel("State").selectOption("FAILED");
            row.first().getByRole(AriaRole.LINK).click();
            assertThat(page.getByRole(AriaRole.LOG)).containsText(error);
        });
    }

    @Test
    void keepsEditsMadeAfterAnAgentWasSaved() {
        var agent = Map.of("name", "typist", "description", "one", "prompt", "Be brief.", "model", "scripted/scripted");
        assertEquals(201, api.post("/v1/projects/default/agents", agent).status());

        asAdministrator(1_200, page -> {
            goTo(page, "agents/typist");
            Locator description = page.getByLabel("Purpose");
            description.fill("two");
            button(page, "Save").click();
            assertThat(page.getByText("Saved.")).isVisible();
            description.fill("three");
            String version = api.get("/v1/projects/default/agents/typist")
                    .json()
                    .get("version")
                    .asText();
            assertThat(page.getByText("Defined by project, version " + version)).isVisible();
            assertThat(description).hasValue("three");
            button(page, "Everything as JSON").click();
            Locator json = page.getByLabel("Definition (JSON)");
            json.fill("{\"name\": \"typist\", \"description\": ");
            button(page, "As a form").click();
            assertThat(page.getByRole(AriaRole.ALERT)).containsText("This is not valid JSON");
            json.fill("{\"name\": \"typist\", \"description\": \"four\", \"model\": \"scripted/scripted\"}");
            button(page, "As a form").click();
            assertThat(description).hasValue("four");
        });
    }

    @Test
    void doesNotOverwriteConcurrentChangesOfAnAgent() {
        // Given
        var agent = Map.of("name", "clerk", "description", "one", "prompt", "Be brief.", "model", "scripted/scripted");
        assertEquals(201, api.post("/v1/projects/default/agents", agent).status());

        asAdministrator(1_200, page -> {
            goTo(page, "agents/clerk");
            page.getByLabel("Purpose").fill("two");
            button(page, "Save").click();
            Awaitility.await().until(() -> description().equals("two"));
            assertThat(page.getByText("Defined by project, version " + agent("version"))) // the page has been refreshed
                    .isVisible();
            api.send(
                    "PUT",
                    "/v1/projects/default/agents/clerk",
                    Map.of(
                            "name",
                            "clerk",
                            "description",
                            "three",
                            "prompt",
                            "Be brief.",
                            "model",
                            "scripted/scripted"),
                    Map.of("If-Match", "*"));

            // When
            page.getByLabel("Purpose").fill("four");
            button(page, "Save").click();

            // Then
            assertThat(page.getByRole(AriaRole.ALERT)).containsText("Someone changed it");
            assertEquals("three", description());
        });
    }

    private static String description() {
        return agent("description");
    }

    private static String agent(String field) {
        return api.get("/v1/projects/default/agents/clerk").json().get(field).asText();
    }

    @Test
    @Tag("I145")
    void aBotIsMadeChangedAndRemoved() {
        asAdministrator(1_200, page -> {
            goTo(page, "bots");
            button(page, "New bot").click();
            page.getByLabel("Kind").selectOption("webhook");
            page.getByLabel("Name").fill("desk");
            page.getByLabel("Signing secret").fill("whsec-sentinel-0123456789");
            page.getByLabel("Replies go to").fill("http://10.0.0.1/in");
            button(page, "Make it").click();
            assertThat(page.getByRole(AriaRole.ALERT)).containsText("begins with https://");
            page.getByLabel("Replies go to").fill("https://93.184.216.34/in");
            button(page, "Make it").click();
            assertThat(heading(page, "desk")).isVisible();

            button(page, "Change").click();
            page.getByLabel("User ids that may talk to it").fill("U1 U2");
            button(page, "Save").click();
            assertThat(button(page, "Change")).isVisible();
            assertEquals(
                    "[\"U1\",\"U2\"]",
                    api.get("/v1/projects/default/bots/desk")
                            .json()
                            .path("allowedUsers")
                            .toString());
            assertFalse(page.content().contains("whsec-sentinel"), "it is not shown again");
            assertTrue(page.locator("input, textarea").all().stream()
                    .noneMatch(field -> field.inputValue().contains("whsec-sentinel")));

            button(page, "Remove").click();
            Locator dialog = page.getByRole(AriaRole.DIALOG);
            dialog.getByRole(AriaRole.TEXTBOX).fill("desk");
            dialog.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Remove"))
                    .click();
            assertThat(heading(page, "Bots")).isVisible();
            assertEquals(404, api.get("/v1/projects/default/bots/desk").status());
        });
    }

    @Test
    @Tag("I148")
    void createsTestsAndRotatesTheSecretOfAWebhook() {
        asAdministrator(1_200, page -> {
            goTo(page, "webhooks");
            button(page, "New webhook").click();
            page.getByLabel("Address").fill("http://10.0.0.1/in");
            page.getByLabel("Purpose").fill("the desk");
            button(page, "Make it").click();
            assertThat(page.getByRole(AriaRole.ALERT)).containsText("https://");
            page.getByLabel("Address").fill(webhookReceiver.url() + "/in");
            page.getByLabel("all of these").uncheck();
            page.getByLabel("turn.failed").check();
            button(page, "Make it").click();
            String first = page.getByText("whsec_").textContent();
            button(page, "I have it").click();
            assertThat(page.getByText("whsec_")).hasCount(0);
            assertFalse(page.content().contains(first), "it is not shown again");

            page.getByRole(AriaRole.LINK, new GetByRoleOptions().setName("the desk"))
                    .click();
            assertThat(heading(page, "the desk")).isVisible();
            button(page, "Send a test").click();
            Locator deliveries = page.getByRole(
                    AriaRole.REGION,
                    new GetByRoleOptions().setName("Deliveries").setExact(true));
            assertThat(deliveries).containsText("delivered");
            button(page, "Replace the secret…").click();
            page.getByRole(AriaRole.DIALOG)
                    .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Replace the secret"))
                    .click();
            assertThat(page.getByText("whsec_")).isVisible();
            assertNotEquals(first, page.getByText("whsec_").textContent());
            button(page, "Disable").click();
            assertThat(button(page, "Send a test")).isDisabled();
            assertEquals(
                    "[\"turn.failed\"]",
                    api.get("/v1/projects/default/webhooks")
                            .json()
                            .path("data")
                            .path(0)
                            .path("events")
                            .toString());
        });
    }

    @Test
    void keepsFormInputWhenTheSignInExpires() {
        asAdministrator(1_200, page -> {
            // Given
            goTo(page, "agents/+new");
            page.getByLabel("Name").fill("patient");
            page.getByLabel("Instructions").fill("Wait for whoever has to sign in.");

            // When
            page.context().clearCookies();
            // Not by the mouse: the page's next request must be the one that this button sends.
            Chromium.evaluate(
                    page,
                    "[...document.querySelectorAll('main button')].find(one => one.textContent === 'Check').click()");

            // Then
            assertThat(page.getByRole(AriaRole.DIALOG)).containsText("Your sign-in has expired");
            signIn(page, server.adminKey());
            assertThat(page.getByRole(AriaRole.DIALOG)).hasCount(0);
            assertThat(page.getByLabel("Instructions")).hasValue("Wait for whoever has to sign in.");
            button(page, "Save").click();
            assertThat(page.getByText("Defined by project")).isVisible();
        });
    }

    @Test
    void listsProjectsBeyondTheFirstPage() {
        List<String> names = List.of("one " + UUID.randomUUID(), "two " + UUID.randomUUID());
        List<String> keys = names.stream().map(name -> api.project(name)).toList();

        asAdministrator(1_200, page -> {
            page.route(
                    "**/v1/projects?*",
                    route -> route.resume(new Route.ResumeOptions()
                            .setUrl(route.request().url().replace("limit=200", "limit=1"))));
            page.reload();
            Locator choice = page.getByRole(
                    AriaRole.COMBOBOX, new GetByRoleOptions().setName("Project").setExact(true));
            for (String name : names) {
                assertThat(choice.getByText(name)).hasCount(1);
            }

            Locator box = page.getByRole(AriaRole.SEARCHBOX);
            box.fill(keys.getLast());
            box.press("Enter");
            assertThat(choice).hasValue(keys.getLast());
        });
    }

    @Test
    void rendersLongListsInPartsAndLongTextsOnDemand() {
        api.say("long", "!say " + "one-long-word-of-many ".repeat(1_000) + "end");

        asAdministrator(1_200, page -> {
            page.route(
                    "**/v1/projects/default/sessions?*",
                    route -> route.fulfill(new Route.FulfillOptions()
                            .setContentType("application/json")
                            .setBody(sessions(route.request().url()))));
            goTo(page, "sessions");
            Locator rows = page.getByRole(AriaRole.TABLE).getByRole(AriaRole.LINK);
            assertThat(rows.first()).isVisible();
            Awaitility.await()
                    .pollInSameThread()
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> {
                        Chromium.evaluate(page, "void scrollTo(0, document.documentElement.scrollHeight)");
                        return page.getByText("Session 9999").count() > 0;
                    });
            awaitFew(rows);
            Chromium.evaluate(page, "void scrollTo(0, 0)");
            assertThat(page.getByText("Session 0", new Page.GetByTextOptions().setExact(true)))
                    .isVisible();
            Chromium.evaluate(page, "void dispatchEvent(new Event('beforeprint'))");
            assertThat(rows).hasCount(10_000);
            Chromium.evaluate(page, "void dispatchEvent(new Event('afterprint'))");
            awaitFew(rows);

            goTo(page, "sessions/long");
            Locator log = page.getByRole(AriaRole.LOG);
            Locator showAll = log.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Show all"));
            assertThat(showAll.last()).isVisible();
            assertTrue(log.textContent().length() < 20_000);
            showAll.last().click();
            assertThat(log).containsText("many end");
        });
    }

    /** Waits until only the rows near the visible part are rendered. */
    private static void awaitFew(Locator rows) {
        Awaitility.await()
                .pollInSameThread()
                .pollInterval(Duration.ofMillis(20))
                .until(() -> rows.count() < 600);
    }

    /** A page of ten thousand sessions, in the form of the API. */
    private static String sessions(String url) {
        var cursor = Pattern.compile("cursor=(\\d+)").matcher(url);
        int from = cursor.find() ? Integer.parseInt(cursor.group(1)) : 0;
        String rows = IntStream.range(from, from + 500).mapToObj("""
                        {"key":"s%1$d","id":"%1$d","title":"Session %1$d","agent":"default","channel":"api","status":"active",
                         "messageCount":1,"usage":{"input":1,"output":1,"cost":0},"updatedAt":"2026-01-01T00:00:00Z"}
                        """::formatted).collect(Collectors.joining(","));
        return "{\"data\":[" + rows + "],\"next\":" + (from + 500 < 10_000 ? "\"" + (from + 500) + "\"" : "null") + "}";
    }

    @Test
    void aWorkflowIsPublishedStartedAnsweredAndSeenToEnd() {
        String definition = """
                document: { dsl: '1.0.3', namespace: office, name: leave, version: '1.0.0' }
                do:
                  - ask: { ask: { prompt: May Ann go?, mode: choice, options: [granted, refused] } }
                """;

        asAdministrator(1_200, page -> {
            goTo(page, "workflows/publish");
            page.getByLabel("Definition").fill(definition.replace("mode: choice", "mode: choose"));
            button(page, "Publish").click();
            assertThat(page.getByRole(AriaRole.REGION, new GetByRoleOptions().setName("Problem")))
                    .containsText("3   - ask: { ask: { prompt: May Ann go?, mode: choose");
            page.getByLabel("Definition").fill(definition);
            button(page, "Publish").click();
            button(page, "Start").click();
            assertThat(page.getByText("a person who answers 'ask'")).isVisible();
            assertThat(diagram(page)).containsText("waiting");
            String process = page.url();
            goTo(page, "inbox");
            page.getByRole(AriaRole.REGION, new GetByRoleOptions().setName("May Ann go?"))
                    .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("granted"))
                    .click();
            page.navigate(process);
            assertThat(page.getByText("It has ended: it is completed.")).isVisible();
            assertThat(diagram(page)).containsText("completed");
        });
    }

    private static Locator diagram(Page page) {
        return page.getByRole(
                AriaRole.REGION, new GetByRoleOptions().setName("Diagram of office:leave:1.0.0 with the state"));
    }

    @Test
    void viewerSeesNoButtonsWithoutPermission() {
        // Given
        String name = "viewer-" + UUID.randomUUID().toString().substring(0, 8);
        register(name);
        var created = api.create("/v1/projects", Map.of("name", name));
        String project = created.json().get("key").asText();
        api.create("/v1/projects/" + project + "/members", Map.of("username", name, "role", "viewer"));

        inWindow(1_200, page -> {
            // When
            page.navigate(server.url() + "/#/" + project + "/overview");
            page.getByLabel("Name or e-mail").fill(name);
            page.getByLabel("Password").fill("a long enough one");
            button(page, "Sign in").click();

            // Then
            assertThat(heading(page, "Overview")).isVisible();
            assertThat(page.getByRole(AriaRole.LINK, new GetByRoleOptions().setName("Chat")))
                    .hasCount(0);
            page.navigate(server.url() + "/#/" + project + "/sessions");
            assertThat(heading(page, "Sessions")).isVisible();
            assertThat(page.getByText("New chat")).hasCount(0);
        });
    }

    @Test
    void everyPageIsAccessibleAndFitsAPhone() {
        // Given
        api.say("seen", "hello\n!call time {}");

        // Then
        asAdministrator(390, page -> {
            button(page, "Menu").click();
            List<String> linkedPaths = page.getByRole(AriaRole.NAVIGATION).getByRole(AriaRole.LINK).all().stream()
                    .map(link -> link.getAttribute("href").substring("#/default/".length()))
                    .toList();
            assertTrue(linkedPaths.size() > 3, linkedPaths.toString());
            var paths = new ArrayList<>(linkedPaths);
            paths.add("sessions/seen");
            for (String path : paths) {
                goTo(page, path);
                assertThat(page.locator("nav a[aria-current=page]"))
                        .hasAttribute("href", "#/default/" + path.replaceFirst("/.*", ""));
                assertThat(page.getByText("Loading…")).hasCount(0);
                assertThat(page.locator("main .failure")).hasCount(0);
                assertThat(page.locator("main > :first-child")).hasClass("head");
                assertEquals(List.of(), Chromium.barriers(page), path);
                assertEquals(
                        "390",
                        Chromium.evaluate(page, "String(document.documentElement.scrollWidth)"),
                        path + " is wider than a phone");
            }
        });
    }
}
