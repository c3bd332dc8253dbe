package dev.parley.workflows.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.Ids;
import dev.parley.domain.ProcessRef;
import dev.parley.domain.RecordKey;
import dev.parley.domain.audit.AuditEntry;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.workflow.EventRouter;
import dev.parley.domain.workflow.ParentCall;
import dev.parley.domain.workflow.Phase;
import dev.parley.domain.workflow.WorkCancelled;
import dev.parley.domain.workflow.WorkRequest;
import dev.parley.domain.workflow.WorkflowCommand;
import dev.parley.domain.workflow.WorkflowCommand.AwaitProcess;
import dev.parley.domain.workflow.WorkflowCommand.Control;
import dev.parley.domain.workflow.WorkflowCommand.ControlProcess;
import dev.parley.domain.workflow.WorkflowCommand.EraseProcess;
import dev.parley.domain.workflow.WorkflowCommand.HandleTask;
import dev.parley.domain.workflow.WorkflowCommand.PublishEvent;
import dev.parley.domain.workflow.WorkflowCommand.SetSchedule;
import dev.parley.domain.workflow.WorkflowCommand.StartProcess;
import dev.parley.domain.workflow.WorkflowCommand.TaskAction;
import dev.parley.domain.workflow.WorkflowEvent;
import dev.parley.domain.workflow.WorkflowEvent.HumanTaskChanged;
import dev.parley.domain.workflow.WorkflowEvent.ProcessChanged;
import dev.parley.domain.workflow.WorkflowEvent.ProcessOverdue;
import dev.parley.domain.workflow.WorkflowEvent.TaskChange;
import dev.parley.domain.workflow.WorkflowEvent.TaskChanged;
import dev.parley.domain.workflow.WorkflowSchedule;
import dev.parley.domain.workflow.WorkflowWork;
import dev.parley.platform.dispatch.LocalDispatch;
import dev.parley.platform.kafka.DeadLetters;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.serde.RecordSerde;
import dev.parley.platform.testkit.FailingMachine;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonText;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The topology of workflow processes; the test acts as workers and users. */
class WorkflowTopologyTest {
    private static final UUID HOST = Ids.of("host", "default");
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final String CALL =
            "do: [ { pay: { call: http, with: { method: post, endpoint: 'https://shop.example/pay' } } } ]\n";
    private static final String ASK = "do: [ { check: { ask: { prompt: 'Well?', options: [YES, NO] } } } ]\n";

    @TempDir
    Path folder;

    private TopologyTestDriver driver;
    private final List<WorkflowEvent> events = new ArrayList<>();
    private final List<String> tombstones = new ArrayList<>();
    private final List<WorkflowWork> work = new ArrayList<>();
    private final List<Outcome> outcomes = new ArrayList<>();
    private Instant now = START;
    private int commands;
    private final Set<String> archived = new HashSet<>();
    private final FailingMachine<WorkflowInput> machine = new FailingMachine<>();

    @BeforeEach
    void open() {
        var settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "none:1");
        settings.put(StreamsConfig.STATE_DIR_CONFIG, folder.toString());
        driver = new TopologyTestDriver(
                WorkflowTopology.of(
                        new CompiledDefinitions(), LocalDispatch.closed(), "test", archived::contains, null, machine),
                settings,
                START);
    }

    @AfterEach
    void close() {
        driver.close();
    }

    // ---- inputs and outputs

    private static ProcessRef process(String name) {
        return new ProcessRef(HOST, RecordKey.DEFAULT_PROJECT, Ids.of("process", name));
    }

    private CommandMeta meta(String user) {
        return new CommandMeta(Ids.of("command", commands++), HOST, now, user, 0, null);
    }

    private static String yaml(String body) {
        return "document: { dsl: '1.0.3', namespace: test, name: flow, version: '1.0.0' }\n" + body;
    }

    private StartProcess start(String name, String body, String input) {
        var command = new StartProcess(
                meta("ann"),
                process(name),
                Ids.of("definition"),
                yaml(body),
                name,
                input,
                "{}",
                null,
                null,
                null,
                null);
        submit(command);
        return command;
    }

    private void submit(WorkflowCommand command) {
        pipe(Topics.WORKFLOW_COMMANDS, command.key().toString(), command);
        settle();
    }

    private void answer(WorkRequest call, @Nullable String output, @Nullable String error) {
        var result = new CallResult.WorkAnswered(call.callId(), call.attempt(), output, error);
        pipe(Topics.RESULTS, call.process().key().toString(), result);
        settle();
    }

    private <V> void pipe(Topic<V> topic, String key, V value) {
        var headers = new RecordHeaders();
        byte[] bytes = RecordCodec.write(topic, headers, value);
        driver.createInputTopic(topic.name(), new ByteArraySerializer(), new ByteArraySerializer())
                .pipeInput(new TestRecord<>(key.getBytes(StandardCharsets.UTF_8), bytes, headers, now));
    }

    private void advance(Duration time) {
        now = now.plus(time);
        driver.advanceWallClockTime(time);
        settle();
    }

    /** Reads the output topics; the topology's own commands and results are fed back, as through a broker. */
    private void settle() {
        boolean pending = true;
        while (pending) {
            pending = false;
            read(Topics.OUTCOMES).forEach(outcomes::add);
            read(Topics.WORKFLOW_REQUESTS).forEach(work::add);
            for (TestRecord<byte[], byte[]> record : records(Topics.WORKFLOW_EVENTS)) {
                if (record.value() == null) {
                    tombstones.add(new String(record.key(), StandardCharsets.UTF_8));
                } else {
                    events.add(RecordCodec.read(Topics.WORKFLOW_EVENTS, record.headers(), record.value()));
                }
            }
            for (Topic<?> topic : List.of(Topics.WORKFLOW_COMMANDS, Topics.RESULTS)) {
                for (TestRecord<byte[], byte[]> record : records(topic)) {
                    pending = true;
                    driver.createInputTopic(topic.name(), new ByteArraySerializer(), new ByteArraySerializer())
                            .pipeInput(record);
                }
            }
        }
    }

    private List<TestRecord<byte[], byte[]>> records(Topic<?> topic) {
        return driver.createOutputTopic(topic.name(), new ByteArrayDeserializer(), new ByteArrayDeserializer())
                .readRecordsToList();
    }

    private <V> List<V> read(Topic<V> topic) {
        return records(topic).stream()
                .map(record -> RecordCodec.read(topic, record.headers(), record.value()))
                .toList();
    }

    private <E extends WorkflowEvent> Stream<E> eventsOf(String name, Class<E> type) {
        return events.stream()
                .filter(event -> event.meta().process().equals(process(name)))
                .filter(type::isInstance)
                .map(type::cast);
    }

    private ProcessChanged last(String name) {
        return eventsOf(name, ProcessChanged.class).toList().getLast();
    }

    private List<WorkRequest> calls() {
        return work.stream()
                .filter(WorkRequest.class::isInstance)
                .map(WorkRequest.class::cast)
                .toList();
    }

    private Outcome outcome(UUID command) {
        return outcomes.stream()
                .filter(outcome -> switch (outcome) {
                    case Outcome.ProcessShown shown -> shown.commandId().equals(command);
                    case Outcome.Refused refused -> refused.commandId().equals(command);
                    default -> false;
                })
                .toList()
                .getLast();
    }

    private Json shown(UUID command) {
        return JsonText.read(
                assertInstanceOf(Outcome.ProcessShown.class, outcome(command)).json());
    }

    private HandleTask handle(String name, TaskAction action, String user, @Nullable String answer) {
        var command = new HandleTask(meta(user), process(name), 1, action, List.of("member"), answer, null, null);
        submit(command);
        return command;
    }

    // ---- people

    @Test
    @Tag("W25")
    void newAssigneeAnswersAnEscalatedTask() {
        start("a", """
            do:
              - check:
                  ask:
                    prompt: Well?
                    assignment: { assigneeId: bob }
                    timeout: { after: PT1H }
                    onTimeout: { action: escalate, assignment: { assigneeId: eve } }
            """, "{}");
        handle("a", TaskAction.CLAIM, "bob", null);
        advance(Duration.ofHours(1));

        assertEquals(
                TaskChange.ESCALATED,
                eventsOf("a", HumanTaskChanged.class).toList().getLast().change());
        assertEquals("task_not_yours", refusal(handle("a", TaskAction.COMPLETE, "bob", "{\"value\":\"x\"}")));
        handle("a", TaskAction.COMPLETE, "eve", "{\"value\":\"x\"}");
        assertEquals(Phase.COMPLETED, last("a").phase());
    }

    @Test
    void tooManyInvalidAnswersFailTheProcess() {
        start("a", "do: [ { check: { ask: { prompt: 'Well?', options: [YES, NO], retryOnInvalid: 1 } } } ]\n", "{}");

        assertEquals("invalid_answer", refusal(handle("a", TaskAction.COMPLETE, "bob", "{\"value\":\"x\"}")));
        assertEquals("task_failed", refusal(handle("a", TaskAction.COMPLETE, "bob", "{\"value\":\"x\"}")));

        assertEquals(Phase.FAULTED, last("a").phase());
        assertTrue(last("a").error().contains("validation"), last("a").error());
    }

    private String refusal(HandleTask command) {
        return assertInstanceOf(Outcome.Refused.class, outcome(command.meta().commandId()))
                .code();
    }

    // ---- processes

    @Test
    void doesNotRequestACallAgainThatTheFailureOfAnotherHasCancelled() {
        // Given
        start("a", """
            do:
              - both:
                  fork:
                    branches:
                      - soon:
                          call: http
                          with: { method: get, endpoint: 'https://shop.example/a' }
                          timeout: { after: PT1M }
                      - later:
                          call: http
                          with: { method: get, endpoint: 'https://shop.example/b' }
                          timeout: { after: PT1H }
            """, "{}");

        // When
        advance(Duration.ofMinutes(2));

        // Then
        assertEquals(Phase.FAULTED, last("a").phase());
        assertEquals(2, calls().size());
    }

    @Test
    @Tag("W22")
    void taskEventsFollowTheLifecycle() {
        // When
        start("call", CALL, "{}");
        answer(calls().getLast(), "{}", null);
        start("ask", ASK, "{}");
        handle("ask", TaskAction.COMPLETE, "bob", "{\"value\":\"YES\"}");
        start("fails", "do: [ { no: { raise: { error: { type: 'https://x/no', status: 400 } } } } ]\n", "{}");
        start("stopped", "do: [ { group: { do: [ { nap: { wait: PT1H } } ] } } ]\n", "{}");
        submit(new ControlProcess(meta("ann"), process("stopped"), Control.CANCEL, "no more"));

        // Then
        assertEquals("AC", letters("call", 1));
        assertEquals("AWAC", letters("ask", 1));
        assertEquals("AF", letters("fails", 1));
        assertEquals("AWX", letters("stopped", 1));
        assertEquals("AWX", letters("stopped", 2));
        assertEquals(
                List.of(
                        "io.serverlessworkflow.workflow.started.v1",
                        "io.serverlessworkflow.task.started.v1",
                        "io.serverlessworkflow.task.suspended.v1",
                        "dev.parley.task.asked.v1",
                        "io.serverlessworkflow.workflow.status-changed.v1",
                        "dev.parley.task.answered.v1",
                        "io.serverlessworkflow.task.resumed.v1",
                        "io.serverlessworkflow.task.completed.v1",
                        "io.serverlessworkflow.workflow.completed.v1"),
                eventsOf("ask", WorkflowEvent.class)
                        .map(WorkflowEvent::eventType)
                        .toList());
    }

    private String letters(String name, long order) {
        return eventsOf(name, TaskChanged.class)
                .filter(change -> change.taskOrder() == order)
                .map(change -> String.valueOf(change.phase().letter()))
                .collect(Collectors.joining());
    }

    @Test
    @Tag("W17")
    void overdueProcessIsReportedOncePerDeadline() {
        start("a", ASK, "{}");
        setKeys("a", "{\"deadline\":\"2026-01-01T00:00:02Z\"}");
        advance(Duration.ofSeconds(3));
        advance(Duration.ofSeconds(3));
        assertEquals(1, eventsOf("a", ProcessOverdue.class).count());

        setKeys("a", "{\"deadline\":\"2026-01-01T00:00:10Z\",\"partyId\":\"7\"}");
        advance(Duration.ofSeconds(5));

        assertEquals(2, eventsOf("a", ProcessOverdue.class).count());
        assertEquals(Phase.WAITING, last("a").phase());
        var audited = read(Topics.AUDIT);
        assertEquals(
                List.of("overdue", "overdue"),
                audited.stream().map(AuditEntry::action).toList());
    }

    /** The comments on the events of a task, without those that have none. */
    private List<String> comments(String process, String task) {
        return eventsOf(process, TaskChanged.class)
                .filter(change -> change.name().equals(task))
                .flatMap(change -> Stream.ofNullable(change.meta().comment()))
                .toList();
    }

    @Test
    @Tag("B131")
    void reasonOfARepairIsInTheHistoryOfItsTaskAndOfNoOther() {
        // Given
        String body = "do: [ { pay: { call: http, with: { method: post, endpoint: 'http://bank/pay' } } },"
                + " { note: { set: { noted: true } } } ]\n";
        String error = "{\"type\":\"https://x/down\",\"status\":503,\"title\":\"Down\"}";
        start("a", body, "{}");
        answer(calls().getLast(), null, error);

        // When
        control("a", Control.RETRY, "the bank is back", null, null);
        answer(calls().getLast(), null, error);
        control("a", Control.SKIP, "paid by hand", "pay", "{}");

        // Then
        assertEquals(List.of("the bank is back", "paid by hand"), comments("a", "pay"));
        assertEquals(List.of(), comments("a", "note"));
    }

    @Test
    @Tag("B131")
    void reasonOfACancellationIsInTheHistoryOfTheTasksThatRan() {
        // Given
        start("a", CALL, "{}");

        // When
        control("a", Control.CANCEL, "ordered twice", null, null);

        // Then
        assertEquals(List.of("ordered twice"), comments("a", "pay"));
        assertEquals("ordered twice", last("a").meta().comment());
    }

    private ControlProcess setKeys(String name, String keys) {
        var command = new ControlProcess(meta("ann"), process(name), Control.SET_KEYS, "", null, keys);
        submit(command);
        return command;
    }

    @Test
    @Tag("W41")
    void failedCallCanBeRetriedWithItsIdempotencyKeyOrSkipped() {
        start("a", CALL, "{}");
        WorkRequest first = calls().getLast();
        String error = "{\"type\":\"https://x/down\",\"status\":503,\"title\":\"Down\"}";
        answer(first, null, error);
        assertEquals(Phase.FAULTED, last("a").phase());
        assertEquals(
                "a person who retries or skips 'pay', which has failed",
                last("a").next());
        assertRefused("unknown_task", control("a", Control.RETRY, "other", null));
        assertRefused("process_ended", control("a", Control.SUSPEND, null, null));

        ControlProcess retry = control("a", Control.RETRY, null, null);

        assertEquals("running", shown(retry.meta().commandId()).get("phase").display());
        WorkRequest retried = calls().getLast();
        assertNotEquals(first.callId(), retried.callId());
        assertEquals(first.idempotencyKey(), retried.idempotencyKey());
        answer(retried, null, error);
        ControlProcess skip = control("a", Control.SKIP, "pay", "{\"paid\":\"by hand\"}");
        assertEquals(
                "by hand",
                shown(skip.meta().commandId()).get("output").get("paid").display());
        assertRefused("process_ended", control("a", Control.RETRY, null, null));
        assertRefused("process_ended", setKeys("a", "{\"resultCode\":\"LATE\"}"));
    }

    private ControlProcess control(String name, Control control, @Nullable String task, @Nullable String value) {
        return control(name, control, "", task, value);
    }

    private ControlProcess control(
            String name, Control control, String reason, @Nullable String task, @Nullable String value) {
        var command = new ControlProcess(meta("ann"), process(name), control, reason, task, value);
        submit(command);
        return command;
    }

    private void assertRefused(String code, ControlProcess command) {
        assertEquals(
                code,
                assertInstanceOf(Outcome.Refused.class, outcome(command.meta().commandId()))
                        .code());
    }

    @Test
    @Tag("W9")
    void aProcessBeginsOnceAndItsEventsHaveNoGaps() {
        // Given
        StartProcess first = start("a", "do: [ { one: { set: { n: 1 } } }, { two: { set: { n: 2 } } } ]\n", "{}");
        int before = events.size();

        // When
        StartProcess second = start("a", ASK, "{}");

        // Then
        assertEquals("completed", shown(first.meta().commandId()).get("phase").display());
        assertEquals(shown(first.meta().commandId()), shown(second.meta().commandId()));
        assertEquals(before, events.size());
        assertEquals(
                Stream.iterate(1L, n -> n + 1).limit(before).toList(),
                events.stream().map(event -> event.meta().seq()).toList());
        assertEquals(Phase.COMPLETED, last("a").phase());
    }

    @Test
    void longLoopYieldsToOtherProcesses() {
        start("long", """
            do: [ { loop: { for: { each: n, in: '${ [range(1000)] }' }, do: [ { step: { set: { n: '${ $n }' } } } ] } } ]
            """, "{}");
        assertTrue(eventsOf("long", TaskChanged.class).count() < 1_000);

        start("short", "do: [ { one: { set: { n: 1 } } } ]\n", "{}");
        assertEquals(Phase.COMPLETED, last("short").phase());
        assertEquals(Phase.RUNNING, last("long").phase());
        for (int i = 0; i < 20; i++) {
            advance(Duration.ofMillis(20));
        }

        assertEquals(Phase.COMPLETED, last("long").phase());
        assertEquals(2_002, eventsOf("long", TaskChanged.class).count());
    }

    @Test
    @Tag("W13")
    void timerFiresOnceAndNotAfterCancellation() {
        // Given
        start("a", "do: [ { nap: { wait: PT1H } } ]\n", "{}");
        start("b", "do: [ { nap: { wait: PT1H } } ]\n", "{}");
        advance(Duration.ofMinutes(59));
        assertEquals(Phase.WAITING, last("a").phase());
        submit(new ControlProcess(meta("ann"), process("b"), Control.CANCEL, "no more"));

        // When
        advance(Duration.ofDays(3));
        advance(Duration.ofDays(1));

        // Then
        assertEquals(Phase.COMPLETED, last("a").phase());
        assertEquals(Phase.CANCELLED, last("b").phase());
        assertEquals(
                1,
                eventsOf("a", ProcessChanged.class)
                        .filter(change -> change.phase() == Phase.COMPLETED)
                        .count());
    }

    @Test
    void awaitReturnsTheEndBeforeAndAfterCompletion() {
        // Given
        start("a", ASK, "{}");

        // When
        var before = new AwaitProcess(meta("ann"), process("a"));
        submit(before);
        int outcomesBefore = outcomes.size();
        handle("a", TaskAction.COMPLETE, "bob", "{\"value\":\"YES\"}");
        var after = new AwaitProcess(meta("ann"), process("a"));
        submit(after);
        var unknown = new AwaitProcess(meta("ann"), process("none"));
        submit(unknown);

        // Then
        assertTrue(outcomes.size() > outcomesBefore);
        assertEquals(
                "YES",
                shown(before.meta().commandId()).get("output").get("value").display());
        assertEquals(shown(before.meta().commandId()), shown(after.meta().commandId()));
        assertEquals(
                "unknown_process",
                assertInstanceOf(Outcome.Refused.class, outcome(unknown.meta().commandId()))
                        .code());
    }

    @Test
    void endedProcessExpiresAfterAWeekAndFreesItsId() {
        // Given
        StartProcess first = start("a", "do: [ { one: { set: { n: 1 } } } ]\n", "{}");
        advance(Duration.ofDays(6));
        assertEquals(
                shown(first.meta().commandId()),
                shown(start("a", ASK, "{}").meta().commandId()));

        // When
        advance(Duration.ofDays(2));

        // Then
        assertEquals(
                "waiting",
                shown(start("a", ASK, "{}").meta().commandId()).get("phase").display());
    }

    @Test
    void erasureWritesTombstonesAndCancelsCalls() {
        // Given
        start("a", CALL, "{}");
        long last = eventsOf("a", WorkflowEvent.class).count();

        // When
        var erase = new EraseProcess(meta("ann"), process("a"), 0);
        submit(erase);

        // Then
        assertEquals(last, tombstones.size());
        assertTrue(tombstones.contains(process("a").key() + "#" + last));
        assertInstanceOf(WorkCancelled.class, work.getLast());
        answer(calls().getFirst(), "{}", null);
        assertEquals(last, eventsOf("a", WorkflowEvent.class).count(), "an answer that comes late changes nothing");
    }

    // ---- calls

    @Test
    @Tag("W41")
    void retriesACallOfASilentWorkerAndCountsItsFirstResult() {
        // Given
        start("a", CALL, "{}");
        WorkRequest first = calls().getFirst();
        pipe(Topics.RESULTS, process("a").key().toString(), new CallResult.CallProgress(first.callId(), 1, "w"));
        advance(Duration.ofSeconds(9));
        assertEquals(1, calls().size(), "the worker is alive");

        // When
        advance(Duration.ofSeconds(11));
        WorkRequest second = calls().getLast();
        answer(first, "{\"paid\":1}", null);
        answer(second, "{\"paid\":2}", null);

        // Then
        assertEquals(2, second.attempt());
        assertEquals(first.idempotencyKey(), second.idempotencyKey());
        assertEquals(first.callId(), second.callId());
        assertEquals("{\"paid\":1}", last("a").output());
    }

    @Test
    void callWithoutAResultFailsAndCanBeCaught() {
        // When
        start("a", """
            do:
              - safe:
                  try: [ { pay: { call: http, with: { method: post, endpoint: 'https://shop.example/pay' } } } ]
                  catch: { errors: { with: { status: 500 } }, do: [ { sorry: { set: { paid: false } } } ] }
            """, "{}");
        for (int i = 0; i < 6; i++) {
            advance(Duration.ofSeconds(11));
        }

        // Then
        assertEquals(5, calls().size());
        assertEquals(Phase.COMPLETED, last("a").phase());
        assertEquals("{\"paid\":false}", last("a").output());
    }

    @Test
    @Tag("W16")
    void childThatCannotStartFailsItsParent() {
        // Given
        start(
                "parent",
                "do: [ { inner: { run: { workflow: { namespace: test, name: flow, version: '1.0.0' } } } } ]\n",
                "{}");
        WorkRequest call = calls().getFirst();
        answer(call, null, null); // the worker has started the call
        advance(Duration.ofMinutes(10));
        assertEquals(1, calls().size(), "it is not asked again");
        var parent = new ParentCall(process("parent"), call.callId(), 1, 1);
        String picky = "input: { schema: { document: { type: object, required: [n] } } }\n"
                + "do: [ { one: { set: { n: 1 } } } ]\n";

        // When
        submit(new StartProcess(
                meta("ann"),
                process("child"),
                Ids.of("d"),
                yaml(picky),
                "child",
                "{}",
                "{}",
                parent,
                null,
                null,
                null));

        // Then
        assertEquals(Phase.FAULTED, last("parent").phase());
        assertTrue(
                String.valueOf(last("parent").error()).contains("required"),
                last("parent").toString());
    }

    // ---- people

    @Test
    @Tag("W23")
    @Tag("W26")
    void claimExpiresAndATaskIsAnsweredOnce() {
        start("a", ASK, "{}");
        handle("a", TaskAction.CLAIM, "bob", null);
        HandleTask other = handle("a", TaskAction.CLAIM, "eve", null);
        assertEquals(
                "task_claimed",
                assertInstanceOf(Outcome.Refused.class, outcome(other.meta().commandId()))
                        .code());

        advance(Duration.ofMinutes(31));
        assertEquals(
                List.of(TaskChange.ASKED, TaskChange.CLAIMED, TaskChange.CLAIM_LAPSED),
                eventsOf("a", HumanTaskChanged.class)
                        .map(HumanTaskChanged::change)
                        .toList());
        HandleTask wrong = handle("a", TaskAction.COMPLETE, "eve", "{\"value\":\"PERHAPS\"}");
        HandleTask right = handle("a", TaskAction.COMPLETE, "eve", "{\"value\":\"YES\"}");
        int before = events.size();
        submit(right);
        HandleTask lateAnswer = handle("a", TaskAction.COMPLETE, "bob", "{\"value\":\"NO\"}");

        assertEquals(
                "invalid_answer",
                assertInstanceOf(Outcome.Refused.class, outcome(wrong.meta().commandId()))
                        .code());
        assertEquals("completed", shown(right.meta().commandId()).get("phase").display());
        assertEquals(before, events.size(), "the same again changes nothing");
        assertEquals(
                "task_closed",
                assertInstanceOf(
                                Outcome.Refused.class, outcome(lateAnswer.meta().commandId()))
                        .code());
    }

    @Test
    @Tag("W34")
    void taskIsRestrictedToItsAssignees() {
        // Given
        start("a", """
            do:
              - check: { ask: { prompt: 'Well?', assignment: { assigneeId: '${ .boss }', roleId: [clerk, viewer] } } }
            """, "{\"boss\":\"zoe\"}");

        // When
        HandleTask refused = handle("a", TaskAction.COMPLETE, "bob", "{\"value\":\"x\"}");
        var clerk = new HandleTask(meta("cleo"), process("a"), 1, TaskAction.CLAIM, List.of("clerk"), null, null, null);
        submit(clerk);
        HandleTask boss = handle("a", TaskAction.COMPLETE, "zoe", "{\"value\":\"x\"}");

        // Then
        assertEquals(
                "task_not_yours",
                assertInstanceOf(Outcome.Refused.class, outcome(refused.meta().commandId()))
                        .code());
        assertEquals("waiting", shown(clerk.meta().commandId()).get("phase").display());
        assertEquals(
                "task_claimed",
                assertInstanceOf(Outcome.Refused.class, outcome(boss.meta().commandId()))
                        .code());
    }

    @Test
    void lockGroupAllowsOneClaimant() {
        // Given
        start("a", """
            do:
              - both:
                  fork:
                    branches:
                      - one: { ask: { prompt: 'One?', lockGroup: '${ "claim-" + .id }' } }
                      - two: { ask: { prompt: 'Two?', lockGroup: claim-7 } }
                      - three: { ask: { prompt: 'Three?', lockGroup: claim-8 } }
            """, "{\"id\":\"7\"}");

        // When
        HandleTask first = claim("bob", 2);
        HandleTask grouped = claim("eve", 3);
        HandleTask other = claim("eve", 4);

        // Then
        assertEquals("waiting", shown(first.meta().commandId()).get("phase").display());
        assertEquals("task_claimed", refusal(grouped));
        assertEquals("waiting", shown(other.meta().commandId()).get("phase").display());
    }

    private HandleTask claim(String user, long order) {
        var command =
                new HandleTask(meta(user), process("a"), order, TaskAction.CLAIM, List.of("member"), null, null, null);
        submit(command);
        return command;
    }

    @Test
    void eventsOmitASensitiveAnswer() {
        start("a", "do: [ { pin: { ask: { prompt: 'PIN?', sensitive: true }, output: { as: '${ {} }' } } } ]\n", "{}");

        handle("a", TaskAction.COMPLETE, "bob", "{\"value\":\"4711\"}");

        assertEquals(Phase.COMPLETED, last("a").phase());
        assertTrue(events.stream().noneMatch(event -> event.toString().contains("4711")));
    }

    // ---- events and schedules

    @Test
    void deliversAnEventPublishedJustBeforeListening() {
        RecordKey router = EventRouter.key(RecordKey.DEFAULT_PROJECT, "paid");
        String event = "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"s\",\"type\":\"paid\",\"data\":7}";
        submit(new PublishEvent(meta("ann"), router, event));
        start("a", "do: [ { hear: { listen: { to: { one: { with: { type: paid } } } } } } ]\n", "{}");
        assertEquals("[7]", last("a").output(), "it came in the moment in which the task began to listen");

        advance(Duration.ofMinutes(1));
        start("b", "do: [ { hear: { listen: { to: { one: { with: { type: paid } } } } } } ]\n", "{}");
        assertNull(last("b").output(), "what came before is not told");
        submit(new PublishEvent(meta("ann"), router, event));
        assertNull(last("b").output(), "nor what comes twice");
        submit(new PublishEvent(meta("ann"), router, event.replace("\"1\"", "\"2\"")));

        assertEquals("[7]", last("b").output());
    }

    @Test
    @Tag("W42")
    void scheduleStartsOneProcessPerTimeAndCatchesUp() {
        RecordKey key = WorkflowSchedule.key(RecordKey.DEFAULT_PROJECT, "test", "flow");
        String daily = yaml("schedule: { cron: '0 9 * * *', misfire: all }\ndo: [ { one: { set: { n: 1 } } } ]\n");
        var set = new SetSchedule(meta("ann"), key, Ids.of("definition"), daily, 1);
        submit(set);
        submit(new SetSchedule(meta("ann"), key, Ids.of("definition"), daily, 1));

        advance(Duration.ofHours(10));
        assertEquals(1, started());
        advance(Duration.ofDays(3));

        assertEquals(4, started());
        submit(new WorkflowCommand.RemoveSchedule(meta("ann"), key, 2));
        advance(Duration.ofDays(3));
        assertEquals(4, started());
    }

    @Test
    @Tag("W42")
    void overtakenCommandDoesNotBringAScheduleBack() {
        // Given
        RecordKey key = WorkflowSchedule.key(RecordKey.DEFAULT_PROJECT, "test", "flow");
        String daily = yaml("schedule: { cron: '0 9 * * *' }\ndo: [ { one: { set: { n: 1 } } } ]\n");

        // When
        submit(new WorkflowCommand.RemoveSchedule(meta("ann"), key, 2));
        submit(new SetSchedule(meta("ann"), key, Ids.of("definition"), daily, 1));

        // Then
        advance(Duration.ofDays(3));
        assertEquals(0, started());
        submit(new SetSchedule(meta("ann"), key, Ids.of("definition"), daily, 3));
        advance(Duration.ofDays(1));
        assertEquals(1, started());
    }

    @Test
    @Tag("W42")
    void scheduleOfAnArchivedProjectPausesUntilRestored() {
        // Given
        RecordKey key = WorkflowSchedule.key(RecordKey.DEFAULT_PROJECT, "test", "flow");
        String daily = yaml("schedule: { cron: '0 9 * * *', misfire: once }\ndo: [ { one: { set: { n: 1 } } } ]\n");
        submit(new SetSchedule(meta("ann"), key, Ids.of("definition"), daily, 1));
        archived.add(RecordKey.DEFAULT_PROJECT);
        for (int day = 0; day < 3; day++) {
            advance(Duration.ofDays(1));
        }
        assertEquals(0, started());

        // When
        archived.clear();
        advance(Duration.ofMinutes(2));

        // Then
        assertEquals(1, started(), "what was missed is made up for once");
    }

    private int started() {
        var ids = new HashSet<UUID>();
        events.forEach(event -> ids.add(event.meta().process().id()));
        return ids.size();
    }

    // ---- unreadable records

    @Test
    void unreadableRecordBecomesADeadLetter() {
        driver.createInputTopic(Topics.WORKFLOW_COMMANDS.name(), new ByteArraySerializer(), new ByteArraySerializer())
                .pipeInput(new TestRecord<>(
                        process("a").key().toString().getBytes(StandardCharsets.UTF_8),
                        new byte[] {1, 2, 3},
                        new RecordHeaders(),
                        now));
        start("a", "do: [ { one: { set: { n: 1 } } } ]\n", "{}");

        assertEquals(1, records(Topics.DEAD_LETTERS).size());
        assertEquals(Phase.COMPLETED, last("a").phase());
    }

    // ---- machines that fail

    static IntStream failures() {
        return IntStream.range(0, FailingMachine.FAILURES.size());
    }

    private Map<Bytes, String> rows() {
        var rows = new TreeMap<Bytes, String>();
        try (var all =
                driver.<Bytes, byte[]>getKeyValueStore(WorkflowStore.NAME).all()) {
            all.forEachRemaining(row -> rows.put(row.key, Arrays.toString(row.value)));
        }
        return rows;
    }

    private void assertLetter(Supplier<Throwable> failure, String topic) {
        TestRecord<byte[], byte[]> letter = records(Topics.DEAD_LETTERS).getFirst();
        assertEquals(failure.get().getClass().getName(), RecordSerde.header(letter.headers(), DeadLetters.ERROR));
        assertEquals(topic, RecordSerde.header(letter.headers(), DeadLetters.TOPIC));
    }

    @ParameterizedTest
    @MethodSource("failures")
    @Tag("B80")
    void commandOnWhichTheMachineFailsChangesNothingAndIsDecidedWhenSentAgain(int number) {
        // Given
        Supplier<Throwable> failure = FailingMachine.FAILURES.get(number);
        Map<?, String> before = rows();
        machine.failOn(WorkflowInput.Command.class::isInstance, failure, 1);

        // When
        StartProcess start = start("a", CALL, "{}");

        // Then
        assertEquals(before, rows());
        assertEquals(List.of(), events);
        assertEquals(
                "internal_error",
                assertInstanceOf(Outcome.Refused.class, outcome(start.meta().commandId()))
                        .code());
        assertLetter(failure, "workflow-commands");

        // When its dead letter is re-driven
        submit(start);

        // Then
        answer(calls().getFirst(), "{}", null);
        assertEquals(Phase.COMPLETED, last("a").phase());
    }

    @ParameterizedTest
    @MethodSource("failures")
    @Tag("B80")
    void resultOnWhichTheMachineFailsFailsItsTaskOrElseItsProcess(int number) {
        // Given
        Supplier<Throwable> failure = FailingMachine.FAILURES.get(number);
        boolean always = new Random(number).nextBoolean(); // also as a failed result
        start("a", CALL, "{}");
        machine.failOn(WorkflowInput.Result.class::isInstance, failure, always ? 2 : 1);

        // When
        answer(calls().getFirst(), "{}", null);

        // Then
        assertLetter(failure, "results");
        assertEquals(Phase.FAULTED, last("a").phase());
        assertTrue(last("a").error().contains("the decision failed"), last("a").error());

        // When the task is repaired, where it has failed
        if (!always) {
            submit(new ControlProcess(meta("ann"), process("a"), Control.RETRY, ""));
            answer(calls().getLast(), "{}", null);
            assertEquals(Phase.COMPLETED, last("a").phase());
        }
        start("b", CALL, "{}");
        answer(calls().getLast(), "{}", null);
        assertEquals(Phase.COMPLETED, last("b").phase());
    }

    @ParameterizedTest
    @MethodSource("failures")
    @Tag("B80")
    void failedStartOfAChildFailsTheTaskOfItsParent(int number) {
        // Given
        Supplier<Throwable> failure = FailingMachine.FAILURES.get(number);
        start("a", CALL, "{}");
        WorkRequest call = calls().getFirst();
        machine.failOn(
                input -> input instanceof WorkflowInput.Command(StartProcess start) && start.parent() != null,
                failure,
                1);

        // When
        submit(new StartProcess(
                meta("ann"),
                process("child"),
                Ids.of("definition"),
                yaml(CALL),
                "child",
                "{}",
                "{}",
                new ParentCall(call.process(), call.callId(), call.attempt(), 1),
                null,
                null,
                null));

        // Then
        assertLetter(failure, "workflow-commands");
        assertEquals(Phase.FAULTED, last("a").phase());
    }

    @ParameterizedTest
    @MethodSource("failures")
    @Tag("B82")
    void timerOnWhichTheMachineFailsIsTriedAgainAndElseEndsItsProcess(int number) {
        // Given
        Supplier<Throwable> failure = FailingMachine.FAILURES.get(number);
        boolean always = new Random(number).nextBoolean();
        start("a", "do:\n  - nap:\n      wait: PT1M\n", "{}");
        machine.failOn(WorkflowInput.Tick.class::isInstance, failure, always ? 10 : 3);

        // When
        for (int i = 0; i < 40; i++) {
            advance(Duration.ofSeconds(30));
        }

        // Then
        assertEquals(always ? 10 : 3, machine.failed().size());
        assertEquals(always ? Phase.FAULTED : Phase.COMPLETED, last("a").phase());
    }

    @Test
    @Tag("B82")
    void timerOfAScheduleOnWhichTheMachineFailsIsTriedUntilItWorks() {
        // Given
        submit(new SetSchedule(
                meta("ann"),
                WorkflowSchedule.key(RecordKey.DEFAULT_PROJECT, "test", "flow"),
                Ids.of("definition"),
                yaml("schedule: { every: PT1H }\n" + CALL),
                1));
        machine.failOn(WorkflowInput.Tick.class::isInstance, FailingMachine.FAILURES.getFirst(), 12);

        // When
        advance(Duration.ofHours(1));
        for (int i = 0; i < 40; i++) {
            advance(Duration.ofMinutes(1));
        }

        // Then
        assertEquals(12, machine.failed().size());
        assertEquals(1, started());
    }
}
