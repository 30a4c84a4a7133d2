// Sums a CSV file by key with bench_csv and with DuckDB, by turns, on two threads each, and prints both speeds and their ratio:
//   npm install @duckdb/node-api && node csv_against_duckdb.mjs build/release/apps/bench/bench_csv [rows] [rounds]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createRequire } from 'node:module';

const [program, rows = '10000000', rounds = '5'] = process.argv.slice(2);
const require = createRequire(pathToFileURL(join(process.cwd(), 'x.js')));
const { DuckDBInstance } = require('@duckdb/node-api');

const median = (all) => [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)];

async function duckdb(file) {
  const instance = await DuckDBInstance.create(':memory:', { threads: '2' });
  const connection = await instance.connect();
  const query = `SELECT count(*), sum(cents) FROM (SELECT account, sum(cents) AS cents FROM
    read_csv('${file}', header = true, columns = {account: 'BIGINT', cents: 'BIGINT', note: 'VARCHAR'}) GROUP BY account)`;
  const began = process.hrtime.bigint();
  const reader = await connection.runAndReadAll(query);
  const seconds = Number(process.hrtime.bigint() - began) / 1e9;
  const [keys, total] = reader.getRows()[0];
  connection.closeSync();
  return { seconds, keys: Number(keys), total: Number(total) };
}

const folder = mkdtempSync(join(tmpdir(), 'bench_csv_'));
try {
  for (const keys of [1000, 1000000]) {
    const file = join(folder, `${keys}.csv`);
    execFileSync(program, ['make', file, rows, String(keys)]);
    const megabytes = statSync(file).size / 1e6;
    const ours = [], theirs = [];
    for (let i = 0; i < Number(rounds); ++i) {
      const a = JSON.parse(execFileSync(program, ['sum', file]));
      const b = await duckdb(file);
      if (a.keys !== b.keys || a.total !== b.total) throw new Error(`different answers: ${JSON.stringify([a, b])}`);
      ours.push(a.seconds);
      theirs.push(b.seconds);
    }
    const speed = (seconds) => `${(rows / seconds / 1e6).toFixed(1)} M rows/s, ${(megabytes / seconds).toFixed(0)} MB/s`;
    console.log(`${keys} keys, ${megabytes.toFixed(0)} MB: spillway ${speed(median(ours))}; duckdb ${speed(median(theirs))}; ratio ` +
      (median(theirs) / median(ours)).toFixed(2));
  }
} finally {
  rmSync(folder, { recursive: true });
}
