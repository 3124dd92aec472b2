import { testEngine } from "./engineTests.ts";

testEngine(0, 6);
