#!/bin/sh
exec join-cluster
