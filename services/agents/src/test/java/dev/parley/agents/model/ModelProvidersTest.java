package dev.parley.agents.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.parley.platform.config.ConfigException;
import dev.parley.platform.config.ConfigReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModelProvidersTest {
    @TempDir
    private Path folder;

    private void check(String settings) throws IOException {
        Path file = Files.writeString(folder.resolve("parley.yml"), settings);
        ModelProviders.check(ConfigReader.read(Map.of("PARLEY_CONFIG", file.toString())));
    }

    @ParameterizedTest
    @Tag("P58")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "providers: {openai: {options: {promptCache: off}}} | providers.openai: a provider of kind openai has no option 'promptCache'; it has none",
                "providers: {anthropic: {options: {cache: off}}} | providers.anthropic: a provider of kind anthropic has no option 'cache'; it has promptCache, thinkingBinding",
                "providers: {anthropic: {options: {promptCache: 'no'}}} | providers.anthropic: the option 'promptCache' of the provider 'anthropic' is one of on, off, not 'no'",
                "providers: {x: {baseUrl: 'http://h', options: {streamUsage: maybe}}} | providers.x: the option 'streamUsage' of the provider 'x' is one of true, false, not 'maybe'",
                "providers: {x: {baseUrl: 'http://h', options: {servre: ollama}}} | providers.x: a provider of kind openai-chat has no option 'servre'; it has developerRole, maxTokensField, replayReasoning, server, streamUsage",
                "agents: [{name: a, options: {fallbacks: x/y}}] | agents: the agent 'a' has an unknown option 'fallbacks'; there are fallback, hostedTools, memory, memoryDays, memoryModel, models, parallelToolCalls, reasoningSummary, responseSchema, serviceTier, stop, transcriber, verbosity",
                "agents: [{name: a, model: openai/m, options: {hostedTools: '[{'}}] | agents: the agent 'a': the option 'hostedTools' of the agent 'a' is not valid JSON",
                "agents: [{name: a, model: openai/m, tools: [x], options: {hostedTools: '{\"type\":\"shell\"}'}}] | agents: the agent 'a': hostedTools has 'shell', which needs a tool 'shell' of the agent's own to carry it out"
            })
    void rejectsAnInvalidOptionAndNamesTheKnownOnes(String settings, String error) {
        assertEquals(
                error,
                assertThrows(ConfigException.class, () -> check(settings)).getMessage());
    }

    @Test
    void acceptsKnownOptions() throws IOException {
        check("""
                providers:
                  anthropic: { options: { promptCache: off, thinkingBinding: on } }
                  x: { baseUrl: "http://h", options: { server: ollama, maxTokensField: m, replayReasoning: tools, streamUsage: false, developerRole: true } }
                agents:
                  - { name: a, model: openai/m, tools: [shell], options: { hostedTools: '{"type":"shell"}', stop: END, fallback: x/m, models: openai/m, transcriber: x/t } }
                """);
    }
}
