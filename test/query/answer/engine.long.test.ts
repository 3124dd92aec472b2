import { testEngine } from "./engineTests.ts";

testEngine(12, 40);
