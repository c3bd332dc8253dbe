package dev.parley.workflows.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.parley.domain.workflow.Phase;
import dev.parley.workflows.engine.Frame.Branch;
import dev.parley.workflows.engine.Frame.Work;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonText;
import dev.parley.workflows.json.Values;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Golden bytes of stored states: states of earlier builds are in the stores, so they must not change. */
class StateJsonTest {
    private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant LATER = Instant.parse("2026-01-01T00:00:05.250Z");
    private static final WorkflowError ERROR = new WorkflowError("about:x", 500, "Broken", "why", "/do/0/a");
    private static final WorkflowError BRIEF = new WorkflowError("about:y", 400, "Bad", null, "");

    private static final Frame SLEEPING =
            new Frame("/do/0/a", 3, "/do/0/a", 1, Json.of(1), Json.of(1), AT, AT, null, new Frame.Sleeping(AT));

    private static final String SLEEPING_JSON =
            "{\"pointer\":\"/do/0/a\",\"order\":3,\"attempt\":1,\"raw\":1,\"startedAt\":\"2026-01-01T00:00:00Z\","
                    + "\"work\":{\"is\":\"sleeping\",\"until\":\"2026-01-01T00:00:00Z\"}}";

    private static final String ERROR_JSON =
            "{\"type\":\"about:x\",\"status\":500,\"title\":\"Broken\",\"detail\":\"why\",\"instance\":\"/do/0/a\"}";

    private static final String BRIEF_JSON =
            "{\"type\":\"about:y\",\"status\":400,\"title\":\"Bad\",\"instance\":\"\"}";

    private static Json json(String text) {
        return JsonText.read(text);
    }

    private static Arguments work(Work work, String json) {
        return Arguments.of(work, json);
    }

    static List<Arguments> works() {
        var yielded = new Frame.Yielded(1, 2, Values.NULL);
        String yieldedJson = "{\"is\":\"yielded\",\"index\":1,\"lap\":2}";
        return List.of(
                work(new Frame.Calling("p:3:1", 1), "{'is':'calling','key':'p:3:1','tried':1}"),
                work(new Frame.Sleeping(LATER), "{'is':'sleeping','until':'2026-01-01T00:00:05.250Z'}"),
                work(new Frame.Asking(json("{\"prompt\": \"Go?\"}")), "{'is':'asking','question':{'prompt':'Go?'}}"),
                work(
                        new Frame.Listening(
                                List.of(Json.of("a")),
                                List.of(0, 2),
                                List.of(1),
                                json("{\"k\": 1}"),
                                List.of(Values.NULL, Json.of(2)),
                                yielded,
                                true),
                        "{'is':'listening','outputs':['a'],'heard':[0,2],'until':[1],'correlated':{'k':1},"
                                + "'queue':[null,2],'body':" + yieldedJson + ",'closed':true}"),
                work(
                        Frame.Listening.BEGUN,
                        "{'is':'listening','outputs':[],'heard':[],'until':[],'correlated':{},'queue':[],'closed':false}"),
                work(
                        new Frame.Subscribing(
                                "p:3:m0", 1, json("{\"at\": 4}"), LATER, List.of(), List.of(Json.of(1)), yielded, true),
                        "{'is':'subscribing','key':'p:3:m0','round':1,'cursor':{'at':4},'until':'2026-01-01T00:00:05.250Z',"
                                + "'outputs':[],'queue':[1],'body':" + yieldedJson + ",'closed':true}"),
                work(
                        Frame.Subscribing.begin(null),
                        "{'is':'subscribing','round':0,'outputs':[],'queue':[],'closed':false}"),
                work(
                        new Frame.Sequence(2, 1, SLEEPING),
                        "{'is':'sequence','index':2,'lap':1,'task':" + SLEEPING_JSON + "}"),
                work(new Frame.Yielded(0, 0, json("[1.50]")), "{'is':'yielded','index':0,'lap':0,'input':[1.50]}"),
                work(yielded, yieldedJson),
                work(
                        new Frame.Looping(List.of(Json.of(true), Values.NULL), 1, yielded),
                        "{'is':'looping','items':[true,null],'index':1,'body':" + yieldedJson + "}"),
                work(
                        new Frame.Forking(List.of(
                                new Branch(SLEEPING, null, null),
                                new Branch(null, Values.NULL, null),
                                new Branch(null, Json.of("x"), null),
                                new Branch(null, null, ERROR))),
                        "{'is':'forking','branches':[{'running':" + SLEEPING_JSON
                                + "},{'output':[null]},{'output':['x']}," + "{'error':" + ERROR_JSON + "}]}"),
                work(
                        new Frame.Trying(2, AT, LATER, yielded),
                        "{'is':'trying','retries':2,'since':'2026-01-01T00:00:00Z','until':'2026-01-01T00:00:05.250Z',"
                                + "'body':" + yieldedJson + "}"),
                work(
                        new Frame.Trying(0, null, null, yielded),
                        "{'is':'trying','retries':0,'body':" + yieldedJson + "}"),
                work(
                        new Frame.Retrying(1, AT, LATER, BRIEF),
                        "{'is':'retrying','retries':1,'since':'2026-01-01T00:00:00Z','until':'2026-01-01T00:00:05.250Z',"
                                + "'error':" + BRIEF_JSON + "}"),
                work(
                        new Frame.Catching(ERROR, yielded),
                        "{'is':'catching','error':" + ERROR_JSON + ",'body':" + yieldedJson + "}"),
                work(new Frame.Extending(1, yielded, null), "{'is':'extending','stage':1,'body':" + yieldedJson + "}"),
                work(
                        new Frame.Extending(2, yielded, Values.NULL),
                        "{'is':'extending','stage':2,'body':" + yieldedJson + ",'output':[null]}"),
                work(new Frame.Function(SLEEPING), "{'is':'function','task':" + SLEEPING_JSON + "}"),
                work(
                        new Frame.Again(AT, LATER, ERROR),
                        "{'is':'again','since':'2026-01-01T00:00:00Z','until':'2026-01-01T00:00:05.250Z'," + "'error':"
                                + ERROR_JSON + "}"),
                work(new Frame.Broken(BRIEF), "{'is':'broken','error':" + BRIEF_JSON + "}"));
    }

    private static ProcessState with(Work body) {
        return new ProcessState(
                "p",
                "ns:w:1.0.0",
                Phase.RUNNING,
                Values.NULL,
                Json.of(1),
                json("{\"a\": 1}"),
                Values.NULL,
                null,
                AT,
                null,
                null,
                body,
                7,
                false);
    }

    @ParameterizedTest
    @MethodSource("works")
    void writesWorkAsStoredBefore(Work work, String golden) {
        String stored =
                "{\"id\":\"p\",\"workflow\":\"ns:w:1.0.0\",\"phase\":\"RUNNING\",\"input\":1,\"context\":{\"a\":1},"
                        + "\"startedAt\":\"2026-01-01T00:00:00Z\",\"body\":" + golden.replace('\'', '"')
                        + ",\"order\":7,\"suspended\":false}";

        assertEquals(stored, StateJson.write(with(work)));
        assertEquals(with(work), StateJson.read(stored));
    }

    @Test
    void everyWorkHasGoldenBytes() {
        var covered = new HashSet<Class<?>>();
        works().forEach(work -> covered.add(work.get()[0].getClass()));

        assertEquals(Set.copyOf(Arrays.asList(Work.class.getPermittedSubclasses())), covered);
    }

    @Test
    void omitsFrameMembersThatEqualTheirDefaults() {
        // Given
        var frame = new Frame(
                "/do/0/a", 4, "/do/0/a@1", 2, Values.NULL, Json.of("in"), LATER, AT, LATER, new Frame.Calling("k", 0));
        ProcessState state = with(new Frame.Sequence(0, 1, frame));

        // When
        String stored = StateJson.write(state);

        // Then
        assertEquals(
                "{\"pointer\":\"/do/0/a\",\"order\":4,\"path\":\"/do/0/a@1\",\"attempt\":2,\"input\":[\"in\"],"
                        + "\"startedAt\":\"2026-01-01T00:00:05.250Z\",\"since\":\"2026-01-01T00:00:00Z\","
                        + "\"deadline\":\"2026-01-01T00:00:05.250Z\",\"work\":{\"is\":\"calling\",\"key\":\"k\",\"tried\":0}}",
                json(stored).get("body").get("task").toString());
        assertEquals(state, StateJson.read(stored));
    }

    @Test
    void writesAnEndedProcessAsStoredBefore() {
        // Given
        var state = new ProcessState(
                "p",
                "ns:w:1.0.0",
                Phase.FAULTED,
                Json.of("raw"),
                Json.of("in"),
                Values.NULL,
                Json.of("out"),
                ERROR,
                AT,
                LATER,
                LATER,
                null,
                9,
                true);

        // When
        String stored = StateJson.write(state);

        // Then
        assertEquals(
                "{\"id\":\"p\",\"workflow\":\"ns:w:1.0.0\",\"phase\":\"FAULTED\",\"rawInput\":\"raw\",\"input\":\"in\","
                        + "\"output\":\"out\",\"error\":" + ERROR_JSON + ",\"startedAt\":\"2026-01-01T00:00:00Z\","
                        + "\"completedAt\":\"2026-01-01T00:00:05.250Z\",\"deadline\":\"2026-01-01T00:00:05.250Z\","
                        + "\"order\":9,\"suspended\":true}",
                stored);
        assertEquals(state, StateJson.read(stored));
    }

    @Test
    void rejectsAnUnknownWork() {
        String stored = StateJson.write(with(new Frame.Broken(BRIEF))).replace("broken", "mended");

        assertThrows(IllegalArgumentException.class, () -> StateJson.read(stored));
    }
}
