package dev.parley.channels.discord;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.channels.discord.GatewayMachine.Effect;
import dev.parley.channels.discord.GatewayMachine.Input;
import dev.parley.channels.discord.GatewayMachine.Session;
import dev.parley.channels.discord.GatewayMachine.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GatewayMachineTest {
    private static final Session SESSION = new Session("s1", "wss://resume.discord.gg");

    private State state = GatewayMachine.begin(0);
    private long now;
    private double chance = 0.5;

    private List<Effect> apply(Input input) {
        GatewayMachine.Step step = GatewayMachine.decide(state, input, now, chance);
        state = step.state();
        return step.effects();
    }

    /** Advances the time until there is an effect. */
    private List<Effect> advance(Duration timeout) {
        long end = now + timeout.toMillis();
        var effects = new ArrayList<Effect>();
        while (effects.isEmpty() && state.wake() <= end) {
            now = Math.max(now, state.wake());
            effects.addAll(apply(new Input.Tick()));
        }
        return effects;
    }

    private void online() {
        apply(new Input.Tick());
        apply(new Input.Address("wss://gateway.discord.gg", 900, Duration.ofHours(4)));
        apply(new Input.Hello(40_000));
        apply(new Input.Ready(SESSION));
        assertInstanceOf(State.Online.class, state);
    }

    @Test
    void startsASessionStepByStep() {
        assertEquals(List.of(new Effect.Locate()), apply(new Input.Tick()));
        assertEquals(
                List.of(new Effect.Open("wss://gateway.discord.gg/?v=10&encoding=json")),
                apply(new Input.Address("wss://gateway.discord.gg", 900, Duration.ofHours(4))));
        assertEquals(List.of(new Effect.Identify()), apply(new Input.Hello(40_000)));
        assertEquals(List.of(new Effect.Works(), new Effect.Begin()), apply(new Input.Ready(SESSION)));
    }

    @Test
    void sendsTheFirstHeartbeatAfterARandomPartOfTheInterval() {
        chance = 0.25;
        online();

        assertEquals(10_000, state.wake());
        assertEquals(List.of(new Effect.Heartbeat()), advance(Duration.ofSeconds(10)));
        assertEquals(50_000, state.wake());
    }

    @Test
    void answeredHeartbeatsKeepTheConnection() {
        online();
        for (int i = 0; i < 5; i++) {
            assertEquals(List.of(new Effect.Heartbeat()), advance(Duration.ofMinutes(1)));
            apply(new Input.HeartbeatAcknowledged());
        }
        assertInstanceOf(State.Online.class, state);
    }

    @Test
    void resumesTheSessionIfAHeartbeatIsNotAnswered() {
        online();
        advance(Duration.ofMinutes(1));

        List<Effect> effects = advance(Duration.ofMinutes(1));

        assertEquals(new Effect.Close(), effects.getFirst());
        assertEquals(
                List.of(new Effect.Open("wss://resume.discord.gg/?v=10&encoding=json")),
                advance(Duration.ofSeconds(1)));
        assertEquals(List.of(new Effect.Resume(SESSION)), apply(new Input.Hello(40_000)));
        assertEquals(List.of(new Effect.Works()), apply(new Input.Resumed()));
        assertInstanceOf(State.Online.class, state);
    }

    @Test
    void sendsARequestedHeartbeatAtOnce() {
        online();
        assertEquals(List.of(new Effect.Heartbeat()), apply(new Input.HeartbeatRequested()));
    }

    @Test
    void resumesOnAReconnectRequest() {
        online();
        assertEquals(new Effect.Close(), apply(new Input.Reconnect()).getFirst());
        assertInstanceOf(Effect.Open.class, advance(Duration.ofSeconds(1)).getFirst());
        assertEquals(List.of(new Effect.Resume(SESSION)), apply(new Input.Hello(40_000)));
    }

    @Test
    void restartsAnInvalidSessionAfterOneToFiveSeconds() {
        online();
        chance = 0;
        apply(new Input.Invalid(false));
        assertEquals(now + 1_000, state.wake());
        assertEquals(List.of(new Effect.Locate()), advance(Duration.ofSeconds(5)));
    }

    @Test
    void resumesAnInvalidSessionIfAllowed() {
        online();
        apply(new Input.Invalid(true));
        assertInstanceOf(Effect.Open.class, advance(Duration.ofSeconds(5)).getFirst());
    }

    @ParameterizedTest
    @ValueSource(ints = {4004, 4010, 4011, 4012, 4013, 4014})
    void reportsFatalCloseCodes(int code) {
        online();

        List<Effect> effects = apply(new Input.Closed(code, null));

        assertInstanceOf(Effect.Problem.class, effects.getFirst());
        assertTrue(state.wake() - now >= 30_000, "it does not use up its sessions");
        assertEquals(List.of(new Effect.Locate()), advance(Duration.ofMinutes(3)));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1000, 1001, 4000, 4001, 4002, 4003, 4005, 4008})
    void resumesTheSessionAfterOtherCloseCodes(int code) {
        online();
        apply(new Input.Closed(code, null));
        assertInstanceOf(Effect.Open.class, advance(Duration.ofSeconds(1)).getFirst());
        assertEquals(List.of(new Effect.Resume(SESSION)), apply(new Input.Hello(40_000)));
    }

    @ParameterizedTest
    @ValueSource(ints = {4007, 4009})
    void restartsAnEndedSession(int code) {
        online();
        apply(new Input.Closed(code, null));
        assertEquals(List.of(new Effect.Locate()), advance(Duration.ofSeconds(1)));
    }

    @Test
    void backsOffBetweenAttemptsAndDropsTheSession() {
        online();
        apply(new Input.Closed(Input.NONE, null));
        long before = 0;
        for (int i = 0; i < 3; i++) {
            long delay = state.wake() - now;
            assertTrue(delay > before, "after %d failures it rests %d ms".formatted(i, delay));
            before = delay;
            assertInstanceOf(Effect.Open.class, advance(Duration.ofMinutes(1)).getFirst());
            apply(new Input.Closed(Input.NONE, null));
        }
        assertEquals(List.of(new Effect.Locate()), advance(Duration.ofMinutes(1)));
        for (int i = 0; i < 20; i++) {
            apply(new Input.NoAddress("no answer", false, null));
            assertTrue(state.wake() - now <= 60_000);
            advance(Duration.ofMinutes(2));
        }
    }

    @Test
    void waitsUntilTheSessionLimitResets() {
        apply(new Input.Tick());
        apply(new Input.Address("wss://gateway.discord.gg", 0, Duration.ofMinutes(7)));
        assertEquals(now + Duration.ofMinutes(7).toMillis(), state.wake());
    }

    @Test
    void reportsAnInvalidTokenWithoutStartingASession() {
        apply(new Input.Tick());
        assertEquals(List.of(new Effect.Problem("unknown")), apply(new Input.NoAddress("unknown", true, null)));
        assertEquals(now + 30_000, state.wake());
    }

    @Test
    void retriesAfterTheGatewayCouldNotBeLocated() {
        apply(new Input.Tick());
        apply(new Input.Closed(Input.NONE, null));
        assertEquals(List.of(new Effect.Locate()), advance(Duration.ofSeconds(1)));
    }

    @Test
    void notesTheFailureOfAConnection() {
        online();
        assertEquals(
                List.of(new Effect.Note("the gateway's connection ended: java.io.EOFException")),
                apply(new Input.Closed(Input.NONE, "java.io.EOFException")));
    }

    @Test
    void closesTheConnectionWithoutHello() {
        apply(new Input.Tick());
        apply(new Input.Address("wss://gateway.discord.gg", 900, Duration.ofHours(4)));
        assertEquals(new Effect.Close(), advance(Duration.ofSeconds(20)).getFirst());
        assertInstanceOf(State.Disconnected.class, state);
    }

    @Test
    void closesTheConnectionWithoutReady() {
        apply(new Input.Tick());
        apply(new Input.Address("wss://gateway.discord.gg", 900, Duration.ofHours(4)));
        apply(new Input.Hello(600_000));
        chance = 0.9;
        assertEquals(new Effect.Close(), advance(Duration.ofSeconds(61)).getFirst());
    }

    @Test
    void reconnectsAfterAnOverload() {
        online();
        assertEquals(new Effect.Close(), apply(new Input.Overloaded()).getFirst());
        assertInstanceOf(Effect.Open.class, advance(Duration.ofSeconds(5)).getFirst());
    }

    @Test
    void ignoresInputsThatDoNotApplyToTheState() {
        for (Input input : List.of(
                new Input.Hello(1),
                new Input.Ready(SESSION),
                new Input.HeartbeatAcknowledged(),
                new Input.Invalid(false))) {
            assertEquals(List.of(), apply(input));
            assertEquals(GatewayMachine.begin(0), state);
        }
        assertNull(((State.Disconnected) state).session());
    }
}
